import type { Client, InStatement, InValue, ResultSet, Row } from "@libsql/client";

/** A client, or a transaction that reads everything as of one moment. */
export type Readable = { execute(statement: InStatement): Promise<ResultSet> };

/** An object of a database's schema, with the statement that makes it. */
export type SchemaObject = { kind: "table" | "index" | "trigger" | "view"; name: string; sql: string };

/** A table's ordinary columns, without generated ones. `ownRowid` is false where a column is the rowid itself. */
export type Table = { name: string; columns: string[]; ownRowid: boolean };

/** Called with the number of rows copied or compared, and the total. */
export type RowProgress = (done: number, total: number) => void;

const mostRows = 500;
/** The most bytes in a page; a single row may be larger. Database servers answer with at most 10 MB. */
const mostBytes = 2 * 1024 * 1024;
const firstRowid = -(2n ** 63n);
const lastRowid = 2n ** 63n - 1n;

/** Everything that the shop created in a database, without the database's internal objects. */
export async function schemaOf(from: Readable): Promise<SchemaObject[]> {
  const { rows } = await from.execute(
    "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT GLOB 'sqlite_*' AND name NOT GLOB 'libsql_*' ORDER BY rowid",
  );
  return rows.map((row) => ({ kind: row["type"], name: row["name"], sql: row["sql"] }) as SchemaObject);
}

export const tablesIn = (from: Readable, objects: SchemaObject[]): Promise<Table[]> =>
  Promise.all(objects.filter(({ kind }) => kind === "table").map(({ name }) => tableIn(from, name)));

async function tableIn(from: Readable, name: string): Promise<Table> {
  // `hidden` is not 0 for generated columns
  const { rows } = await from.execute({
    sql: "SELECT name, type, pk FROM pragma_table_xinfo(?) WHERE hidden = 0 ORDER BY cid",
    args: [name],
  });
  const keys = rows.filter(({ pk }) => pk !== 0);
  const isRowid = keys.length === 1 && /^integer$/i.test(keys[0]?.["type"] as string);
  return { name, columns: rows.map((row) => row["name"] as string), ownRowid: !isRowid };
}

export async function countRows(from: Readable, tables: Table[]): Promise<number> {
  let count = 0;
  for (const { name } of tables) {
    const { rows } = await from.execute(`SELECT count(*) FROM ${quoted(name)}`);
    count += Number(rows[0]?.[0]);
  }
  return count;
}

/**
 * Compares a table's rows, a page at a time by rowid, and replaces each page of `to` that differs, rowids included.
 * Resolves to how many pages differed; 0 means that both tables are the same. Safe to interrupt and repeat. The table
 * in `to` must have no triggers, which would run again for every row.
 */
export async function copyTable(
  { from, to }: { from: Readable; to: Client },
  table: Table,
  progress: (rows: number) => void,
): Promise<number> {
  const page = statementsFor(table);
  let differing = 0;
  for (let after: bigint | null = firstRowid; after !== null;) {
    const { until, isLast } = await nextPage(from, page.sizes, after);
    const args = [after, until];
    const { rows } = await from.execute({ sql: page.read, args });
    const there = await to.execute({ sql: page.read, args });
    if (!areSame(rows, there.rows)) {
      differing += 1;
      // `migrate` turns foreign keys off: they hold only once all tables are copied
      await to.migrate([
        { sql: page.remove, args },
        ...rows.map((row) => ({ sql: page.insert, args: valuesOf(row, table) })),
      ]);
    }
    progress(rows.length);
    after = isLast ? null : until;
  }
  return differing;
}

function statementsFor({ name, columns, ownRowid }: Table) {
  const listed = columns.map(quoted);
  const written = ownRowid ? ["rowid", ...listed] : listed;
  const sizes = listed.map((column) => `coalesce(length(${column}), 0)`).join(" + ");
  const at = `FROM ${quoted(name)} WHERE rowid > ?`;
  return {
    sizes: `SELECT rowid, ${sizes} ${at} ORDER BY rowid LIMIT ${mostRows}`,
    read: `SELECT rowid, ${listed.join(", ")} ${at} AND rowid <= ? ORDER BY rowid`,
    remove: `DELETE ${at} AND rowid <= ?`,
    // `to` may still hold the row's unique values under an earlier rowid
    insert: `INSERT OR REPLACE INTO ${quoted(name)} (${written.join(", ")}) VALUES (${written.map(() => "?").join(", ")})`,
  };
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** Where the page after a rowid ends. The last page has no end, so that it finds rows which only `to` has. */
async function nextPage(from: Readable, sizes: string, after: bigint) {
  const { rows } = await from.execute({ sql: sizes, args: [after] });
  let bytes = 0;
  const tooMany = rows.findIndex((row, at) => (bytes += Number(row[1])) > mostBytes && at > 0);
  const last = rows[(tooMany === -1 ? rows.length : tooMany) - 1];
  const isLast = last === undefined || (tooMany === -1 && rows.length < mostRows);
  return { until: isLast ? lastRowid : BigInt(Number(last[0])), isLast };
}

const areSame = (rows: Row[], others: Row[]) =>
  rows.length === others.length &&
  rows.every((row, at) => {
    const other = others[at];
    return other !== undefined && cells(row).every((cell, column) => isSame(cell, other[column]));
  });

const isSame = (one: unknown, other: unknown) =>
  one instanceof ArrayBuffer && other instanceof ArrayBuffer
    ? Buffer.from(one).equals(Buffer.from(other))
    : one === other;

const cells = (row: Row): InValue[] => Array.from({ length: row.length }, (_, at) => row[at] ?? null);

/** Whole numbers as integers: a database server treats other numbers as floating-point. */
const valuesOf = (row: Row, { ownRowid }: Table): InValue[] =>
  cells(row)
    .slice(ownRowid ? 0 : 1)
    .map((cell) => (typeof cell === "number" && Number.isInteger(cell) ? BigInt(cell) : cell));
