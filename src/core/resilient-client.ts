import { type Client, type Config, createClient, LibsqlError } from "@libsql/client";
import { fileClient, fileOf } from "./file-client";
import { Refusal } from "./refusal";

/** How long one statement may block the process before it fails as busy. */
const busyMilliseconds = 20;
/** How long a busy database is retried before the call is refused as unavailable. */
const patienceMilliseconds = 5_000;

/**
 * A libSQL client that survives SQLITE_BUSY, a full disk and an unreachable server. Each call is atomic, so retrying
 * after BUSY is safe. What can't be stored or read is refused with `unavailable`, and works again as soon as the cause
 * is gone.
 */
export function resilientClient(config: Config): Client {
  const file = fileOf(config.url);
  const client = file ? fileClient(file, busyMilliseconds) : createClient(config);
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
          // typed as void, but a promise with some drivers
          if (trouble !== "replaced") await Promise.resolve(client.reconnect());
          if (trouble === "broken" || Date.now() > deadline) {
            throw new Refusal("unavailable", {}, { cause: error });
          }
          await Bun.sleep(busyMilliseconds);
        }
      }
    };
  const execute = again((...args: Parameters<Client["execute"]>) => client.execute(...args));
  const batch = again(client.batch.bind(client));
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
 * `broken`: the disk, the file or the server failed. Null: none of these.
 */
export function troubleOf(error: unknown): "busy" | "replaced" | "broken" | null {
  if (error instanceof LibsqlError) {
    if (error.code.startsWith("SQLITE_BUSY") || error.code.startsWith("SQLITE_LOCKED")) return "busy";
    if (error.code === "CLIENT_CLOSED") return "replaced";
    return broken.test(error.code) ? "broken" : null;
  }
  if (!(error instanceof Error)) return null;
  // fetch could not reach the database server
  if (error instanceof TypeError && /fetch|connect/i.test(error.message)) return "broken";
  return error.cause === undefined ? null : troubleOf(error.cause);
}
