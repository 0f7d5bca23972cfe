import { type Client, type Config, createClient, LibsqlError } from "@libsql/client";
import { databaseLine, isTimeout } from "./database-line";
import { fileClient, fileOf } from "./file-client";
import { Refusal } from "./refusal";

/** How long one statement may block the process before it fails as busy. */
const busyMilliseconds = 20;
/** How long a busy database is retried before the call is refused as unavailable. */
const patienceMilliseconds = 5_000;
/** How long a call to a database server may take. */
const callMilliseconds = 8_000;
/** The same for migrations, and for commands that read or write everything. */
const longCallMilliseconds = 10 * 60_000;

/**
 * A libSQL client that survives SQLITE_BUSY, a full disk and a server that is unreachable or silent. Each call is
 * atomic, so retrying after BUSY is safe. What can't be stored or read is refused with `unavailable`, and works again
 * as soon as the cause is gone.
 */
export function resilientClient(config: Config, { patient = false } = {}): Client {
  const file = fileOf(config.url);
  const most = patient ? longCallMilliseconds : callMilliseconds;
  const client = file ? fileClient(file, busyMilliseconds) : serverClient(config, most);
  const again =
    <A extends unknown[], R>(ask: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      const deadline = Date.now() + patienceMilliseconds;
      for (;;) {
        try {
          return await ask(...args);
        } catch (error) {
          if (client.closed) throw error;
          const trouble = troubleOf(error);
          if (trouble === null) throw error;
          // over HTTP each call has a connection of its own, and calls under way would fail with this one;
          // typed as void, but a promise with some drivers
          const isLost = trouble !== "replaced" && client.protocol !== "http";
          if (isLost) await Promise.resolve(client.reconnect());
          if (trouble === "broken" || Date.now() > deadline) {
            throw new Refusal("unavailable", {}, { cause: error });
          }
          await Bun.sleep(busyMilliseconds);
        }
      }
    };
  const execute = again((...args: Parameters<Client["execute"]>) => client.execute(...args));
  const batch = again(client.batch.bind(client));
  const migrate = async (...args: Parameters<Client["migrate"]>) => {
    if (file) return client.migrate(...args);
    const migrating = serverClient(config, longCallMilliseconds);
    return migrating.migrate(...args).finally(() => migrating.close());
  };
  return new Proxy(client, {
    get(target, name) {
      if (name === "execute") return execute;
      if (name === "batch") return batch;
      if (name === "migrate") return migrate;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** `concurrency` is left to the line, where a silent call gives its place to another. */
function serverClient(config: Config, mostMilliseconds: number): Client {
  const client = createClient({ ...config, fetch: databaseLine(mostMilliseconds), concurrency: 10_000 });
  return client.protocol === "http" ? client : bounded(client, mostMilliseconds);
}

/** A WebSocket has one connection for all calls; it is replaced when one of them gets no answer. */
function bounded(client: Client, mostMilliseconds: number): Client {
  const timed =
    <A extends unknown[], R>(ask: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      const { promise: late, reject } = Promise.withResolvers<never>();
      const timedOut = () => reject(new DOMException("The operation timed out.", "TimeoutError"));
      const timer = setTimeout(timedOut, mostMilliseconds);
      return Promise.race([ask(...args), late]).finally(() => clearTimeout(timer));
    };
  const execute = timed((...args: Parameters<Client["execute"]>) => client.execute(...args));
  const batch = timed(client.batch.bind(client));
  return new Proxy(client, {
    get(target, name) {
      if (name === "execute") return execute;
      if (name === "batch") return batch;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** Failures of the database itself; any other failure is the statement's own. */
const broken =
  /^(SQLITE_(FULL|IOERR|CANTOPEN|READONLY|CORRUPT|NOTADB|PROTOCOL|NOMEM)|SERVER_ERROR|HRANA_|UNKNOWN)/;

/**
 * `busy`: another connection writes. `replaced`: another call replaced the connection under this one.
 * `broken`: the disk, the file, the server or the line to it failed. Null: none of these.
 */
export function troubleOf(error: unknown): "busy" | "replaced" | "broken" | null {
  if (error instanceof LibsqlError) {
    if (error.code.startsWith("SQLITE_BUSY") || error.code.startsWith("SQLITE_LOCKED")) return "busy";
    if (error.code === "CLIENT_CLOSED") return "replaced";
    return broken.test(error.code) ? "broken" : null;
  }
  if (!(error instanceof Error)) return null;
  if (isTimeout(error)) return "broken";
  // fetch could not reach the database server
  if (error instanceof TypeError && /fetch|connect/i.test(error.message)) return "broken";
  return error.cause === undefined ? null : troubleOf(error.cause);
}
