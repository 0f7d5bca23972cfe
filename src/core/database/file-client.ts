import {
  type Client,
  type InArgs,
  type InStatement,
  type InValue,
  LibsqlBatchError,
  LibsqlError,
  type ResultSet,
  type Row,
  type TransactionMode,
  type Value,
} from "@libsql/client";
import Database from "libsql";

type SqliteDatabase = InstanceType<typeof Database>;
type Statement = ReturnType<SqliteDatabase["prepare"]>;
type Connection = ReturnType<typeof connect>;
/** `columns` is null for a statement that returns no rows. */
type CachedStatement = { statement: Statement; columns: Columns | null };
/** `row` is the prototype of the statement's rows. */
type Columns = { names: string[]; types: string[]; row: object };

/** More than a busy shop's distinct statements; the cache drops the least recently used first. */
const mostStatements = 500;

/**
 * A client for a database file: the interface of `@libsql/client`, built directly on the `libsql` package below it.
 * `@libsql/client` prepares every statement again and defines every cell of a row twice as a property: 111 µs for the
 * session query, compared with 16 µs for a cached statement and plain rows. A row is an array whose cells can also be
 * read by column name; JSON shows it by name.
 *
 * All calls are synchronous and use one connection, so nothing runs between the statements of a batch.
 * `busyMilliseconds` is how long one call may block the process waiting for another process's lock.
 */
export const fileClient = (path: string, busyMilliseconds: number): Client =>
  new FileClient(path, busyMilliseconds);

class FileClient implements Client {
  readonly protocol = "file";
  closed = false;
  #connection: Connection;
  #connect: () => Connection;

  constructor(path: string, busyMilliseconds: number) {
    this.#connect = () => connect(path, busyMilliseconds);
    this.#connection = this.#connect();
  }

  async execute(statement: InStatement, args?: InArgs): Promise<ResultSet> {
    return this.#using(({ run }) => run(statement, args));
  }

  async batch(
    statements: (InStatement | [string, InArgs?])[],
    mode: TransactionMode = "deferred",
  ): Promise<ResultSet[]> {
    return this.#using(({ database, run }) => {
      // `exec` finishes its statement even when it fails, so a busy database leaves no transaction half open
      database.exec(begin[mode]);
      try {
        const results = statements.map((statement, index) => {
          try {
            return Array.isArray(statement) ? run(statement[0], statement[1]) : run(statement);
          } catch (error) {
            throw batchError(error, index);
          }
        });
        database.exec("COMMIT");
        return results;
      } catch (error) {
        if (database.inTransaction) database.exec("ROLLBACK");
        throw error;
      }
    });
  }

  async migrate(statements: InStatement[]): Promise<ResultSet[]> {
    await this.executeMultiple("PRAGMA foreign_keys = OFF");
    try {
      return await this.batch(statements);
    } finally {
      await this.executeMultiple("PRAGMA foreign_keys = ON");
    }
  }

  async executeMultiple(sql: string): Promise<void> {
    this.#using(({ database }) => database.exec(sql));
  }

  async transaction(_mode?: TransactionMode): Promise<never> {
    throw new LibsqlError("An interactive transaction would block every visitor: use a batch", "UNSUPPORTED");
  }

  async sync(): Promise<never> {
    throw new LibsqlError("A file has nothing to sync with", "SYNC_NOT_SUPPORTED");
  }

  reconnect(): void {
    this.#connection.close();
    this.#connection = this.#connect();
    this.closed = false;
  }

  close(): void {
    if (!this.closed) this.#connection.close();
    this.closed = true;
  }

  /** Runs `work` on the open connection, with errors as `@libsql/client` has them. */
  #using<T>(work: (connection: Connection) => T): T {
    if (this.closed) throw new LibsqlError("The client is closed", "CLIENT_CLOSED");
    try {
      return work(this.#connection);
    } catch (thrown) {
      const error = libsqlError(thrown);
      // After SQLITE_BUSY a statement stays half executed, and later writes on its connection report success but are
      // lost (tursodatabase/libsql-client-ts#352). So replace that connection.
      if (error instanceof LibsqlError && error.code === "SQLITE_BUSY") this.reconnect();
      throw error;
    }
  }
}

const begin: Record<TransactionMode, string> = {
  write: "BEGIN IMMEDIATE",
  read: "BEGIN TRANSACTION READONLY",
  deferred: "BEGIN DEFERRED",
};

function connect(path: string, busyMilliseconds: number) {
  const database = new Database(path, { timeout: busyMilliseconds });
  const cache = new Map<string, CachedStatement>();

  const prepared = (sql: string): CachedStatement => {
    const found = cache.get(sql) ?? prepare(database, sql);
    // most recently used last, so the first entry is the one to drop
    cache.delete(sql);
    cache.set(sql, found);
    if (cache.size > mostStatements) cache.delete(cache.keys().next().value!);
    return found;
  };

  return {
    database,
    run: (statement: InStatement, args?: InArgs): ResultSet => {
      const sql = typeof statement === "string" ? statement : statement.sql;
      const cached = prepared(sql);
      return execute(cached, encodeArguments((typeof statement === "string" ? args : statement.args) ?? []));
    },
    close() {
      // a prepared statement outlives its connection and could still write, so forget it
      cache.clear();
      database.close();
    },
  };
}

function prepare(database: SqliteDatabase, sql: string): CachedStatement {
  const statement = database.prepare(sql);
  if (!statement.reader) return { statement, columns: null };
  statement.raw(true).safeIntegers(true);
  return { statement, columns: columnsOf(statement) };
}

function columnsOf(statement: Statement): Columns {
  const columns = statement.columns();
  const names = columns.map(({ name }) => name);
  return { names, types: columns.map(({ type }) => type ?? ""), row: rowPrototype(names) };
}

/** Lets the cells of an array be read by column name; of two columns with the same name the first wins. */
function rowPrototype(names: string[]): object {
  const named = names.map((name, index): [string, PropertyDescriptor] => [
    name,
    {
      get(this: Value[]) {
        return this[index];
      },
      configurable: true,
    },
  ]);
  const toJSON = function (this: Value[]) {
    return Object.fromEntries(names.map((name, index) => [name, this[index]] as const).toReversed());
  };
  return Object.create(Array.prototype, {
    ...Object.fromEntries(named.toReversed()),
    toJSON: { value: toJSON, configurable: true },
  }) as object;
}

function execute(cached: CachedStatement, args: unknown[] | Record<string, unknown>): ResultSet {
  const { statement } = cached;
  if (!cached.columns) {
    const { changes, lastInsertRowid } = statement.run(args);
    return resultOf(noRows, changes, BigInt(lastInsertRowid));
  }
  // read to the end: an unfinished reader keeps its snapshot, and the log grows
  const found = statement.all(args) as unknown[][];
  // another connection may have added a column since `SELECT *` was prepared
  if (found[0] && found[0].length !== cached.columns.names.length) cached.columns = columnsOf(statement);
  const { names, types, row } = cached.columns;
  const rows = found.map((cells) => {
    for (let at = 0; at < cells.length; at += 1) cells[at] = decode(cells[at]);
    return Object.setPrototypeOf(cells, row) as Row;
  });
  return resultOf({ columns: names, columnTypes: types, rows }, 0);
}

const noRows = { columns: [], columnTypes: [], rows: [] };

function resultOf(
  found: Pick<ResultSet, "columns" | "columnTypes" | "rows">,
  rowsAffected: number,
  lastInsertRowid?: bigint,
): ResultSet {
  const toJSON = () => ({ ...found, rowsAffected, lastInsertRowid: lastInsertRowid?.toString() ?? null });
  return { ...found, rowsAffected, lastInsertRowid, toJSON };
}

function decode(value: unknown): unknown {
  if (typeof value === "bigint") {
    const number = Number(value);
    if (Number.isSafeInteger(number)) return number;
    throw new RangeError("The database returned an integer that is too large for a number");
  }
  // each blob has its own buffer, which holds nothing else
  return value instanceof Uint8Array ? value.buffer : value;
}

function encodeArguments(args: InArgs): unknown[] | Record<string, unknown> {
  if (Array.isArray(args)) return args.map(encodedValue);
  const named = Object.entries(args).map(([name, value]) => [
    name.replace(/^[:@$]/, ""),
    encodedValue(value),
  ]);
  return Object.fromEntries(named);
}

const maximalInteger = 2n ** 63n;

function encodedValue(value: InValue): unknown {
  if (typeof value === "number" && !Number.isFinite(value)) throw new RangeError("not a finite number");
  if (typeof value === "bigint" && (value < -maximalInteger || value >= maximalInteger))
    throw new RangeError("an integer has at most 64 bits");
  if (value === undefined) throw new TypeError("undefined can't be stored");
  if (typeof value === "boolean") return value ? 1 : 0;
  if (value instanceof Date) return value.getTime();
  return value instanceof ArrayBuffer ? Buffer.from(value) : value;
}

function batchError(thrown: unknown, index: number): unknown {
  const error = libsqlError(thrown);
  if (!(error instanceof LibsqlError)) return error;
  const { message, code, extendedCode, rawCode } = error;
  return new LibsqlBatchError(message, index, code, extendedCode, rawCode, error);
}

function libsqlError(error: unknown): unknown {
  if (!(error instanceof Database.SqliteError)) return error;
  const { message, code: extendedCode, rawCode } = error;
  // the lowest byte is the primary code, https://www.sqlite.org/rescode.html
  const code = (rawCode !== undefined && primaryCodes[rawCode & 0xff]) || "SQLITE_UNKNOWN";
  return new LibsqlError(message, code, extendedCode, rawCode, error);
}

/** By number, https://www.sqlite.org/rescode.html#primary_result_code_list */
const primaryCodes = (
  "OK ERROR INTERNAL PERM ABORT BUSY LOCKED NOMEM READONLY INTERRUPT IOERR CORRUPT NOTFOUND FULL CANTOPEN " +
  "PROTOCOL EMPTY SCHEMA TOOBIG CONSTRAINT MISMATCH MISUSE NOLFS AUTH FORMAT RANGE NOTADB NOTICE WARNING"
)
  .split(" ")
  .map((name) => `SQLITE_${name}`);
