import { type Client, type Config, createClient, type ResultSet } from "@libsql/client";
import { minute } from "@/contract/vocabulary/time";
import { fileOf } from "../settings/storage-location";
import { Refusal } from "../base/refusal";
import { databaseLine } from "./database-line";
import { faultOf } from "./database-fault";
import { fileClient } from "./file-client";

/** How long one statement may block the process before it fails as busy. */
const busyMilliseconds = 20;
/** How long to retry a busy database before refusing the call as unavailable. */
const timeoutMilliseconds = 5_000;
/** How long a call to a database server may take. */
const callMilliseconds = 8_000;
/** The same for migrations, and for commands that read or write everything. */
const longCallMilliseconds = 10 * minute;

/**
 * A libSQL client that survives SQLITE_BUSY, a full disk and a server that is unreachable or silent. Each call is
 * atomic, so retrying after BUSY is safe. Refuses with `unavailable` what the database can't store or read, and works
 * again as soon as the cause is gone. Records the outcomes of its writes for `storing.ts`.
 */
export function resilientClient(config: Config, { patient = false } = {}): Client {
  const file = fileOf(config.url);
  const most = patient ? longCallMilliseconds : callMilliseconds;
  const client = file ? fileClient(file, busyMilliseconds) : serverClient(config, most);
  const again =
    <A extends unknown[], R>(ask: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      const deadline = Date.now() + timeoutMilliseconds;
      for (;;) {
        try {
          return await ask(...args);
        } catch (error) {
          if (client.closed) throw error;
          const fault = faultOf(error);
          if (fault === null) throw error;
          // over HTTP each call has its own connection, and `reconnect` would fail the calls under way; typed as void,
          // but a promise with some drivers
          const isLost = fault !== "replaced" && client.protocol !== "http";
          if (isLost) await Promise.resolve(client.reconnect());
          if (fault === "broken" || Date.now() > deadline) {
            noteWrite(resilient, error);
            throw new Refusal("unavailable", {}, { cause: error });
          }
          await Bun.sleep(busyMilliseconds);
        }
      }
    };
  const execute = again((...args: Parameters<Client["execute"]>) => client.execute(...args));
  const tryBatch = again(client.batch.bind(client));
  const batch: Client["batch"] = async (statements, mode) => {
    const results = await tryBatch(statements, mode);
    // a write that changed nothing has not touched the disk
    if (mode === "write" && results.some(changedRows)) noteWrite(resilient, null);
    return results;
  };
  const migrate = async (...args: Parameters<Client["migrate"]>) => {
    if (file) return client.migrate(...args);
    const migrating = serverClient(config, longCallMilliseconds);
    return migrating.migrate(...args).finally(() => migrating.close());
  };
  const resilient: Client = new Proxy(client, {
    get(target, name) {
      if (name === "execute") return execute;
      if (name === "batch") return batch;
      if (name === "migrate") return migrate;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return resilient;
}

const changedRows = ({ rowsAffected }: ResultSet) => rowsAffected > 0;
/** `concurrency` is never reached: `databaseLine` limits calls, so that a silent call gives its slot to another. */
function serverClient(config: Config, mostMilliseconds: number): Client {
  const client = createClient({ ...config, fetch: databaseLine(mostMilliseconds), concurrency: 10_000 });
  return client.protocol === "http" ? client : withDeadline(client, mostMilliseconds);
}

/** A WebSocket has one connection for all calls; the resilient client replaces it when a call gets no answer. */
function withDeadline(client: Client, mostMilliseconds: number): Client {
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

/** `failure` is null if the write was stored. `at` is on the clock of `performance.now()`. */
type WriteOutcome = { at: number; failure: unknown };

const last = new WeakMap<Client, WriteOutcome>();

/** Records whether a database stored its last write. */
function noteWrite(client: Client, failure: unknown): void {
  last.set(client, { at: performance.now(), failure });
}

export const lastWrite = (client: Client): WriteOutcome | undefined => last.get(client);
