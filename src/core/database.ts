import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Client, type Config as ClientConfig, createClient, LibsqlError } from "@libsql/client";
import { sql } from "drizzle-orm";
import { drizzle, type LibSQLDatabase } from "drizzle-orm/libsql";
import { migrate } from "drizzle-orm/libsql/migrator";
import { ConfigError } from "./config";
import { Refusal } from "./refusal";
import type { Secrets } from "./secrets";
import { installation } from "./tables";

/** Reads go through `db`; writes through {@link commit} in `commit.ts`. */
export type Store = { db: LibSQLDatabase; client: Client; close(): void };

const migrationsFolder = fileURLToPath(new URL("../../drizzle", import.meta.url));

/** How long one statement may block the process before it is called busy. */
const busyMilliseconds = 500;
/** How long a busy database is asked again before the caller is told that it is unavailable. */
const patienceMilliseconds = 10_000;

/**
 * Opens the database and brings it to the newest migration.
 * A file that has disappeared since the last start is an error, never a silent new shop.
 */
export async function openStore(database: { url: string; authToken?: string | undefined }): Promise<Store> {
  const file = database.url.startsWith("file:") ? fileURLToPath(new URL(database.url)) : null;
  if (file) await expectFile(file);
  const client = steady({
    url: database.url,
    ...(database.authToken ? { authToken: database.authToken } : {}),
    ...(file ? { concurrency: 1, timeout: busyMilliseconds } : {}),
  });
  const db = drizzle(client);
  if (file) await client.execute("PRAGMA journal_mode = WAL");
  await migrate(db, { migrationsFolder });
  if (file) await Bun.write(createdMark(file), "This database exists; its absence is a loss.\n");
  return { db, client, close: () => client.close() };
}

const createdMark = (file: string) => join(dirname(file), ".created");

async function expectFile(file: string) {
  await mkdir(dirname(file), { recursive: true });
  if (existsSync(createdMark(file)) && !existsSync(file)) {
    throw new ConfigError(
      `The database ${file} is missing although it was created before: restore it, or remove ${createdMark(file)} to begin a new shop.`,
    );
  }
}

/**
 * Refuses a database that was made with another `SECRET_KEY`: its keys could be neither shown nor
 * looked up, and every sold key would silently change.
 */
export async function expectSecret(store: Store, secrets: Secrets): Promise<void> {
  const fingerprint = secrets.fingerprint("installation", "secret-key");
  await store.db
    .insert(installation)
    .values({ name: "secret_key", value: fingerprint })
    .onConflictDoNothing();
  const [row] = await store.db
    .select()
    .from(installation)
    .where(sql`${installation.name} = 'secret_key'`);
  if (row?.value !== fingerprint) {
    throw new ConfigError("The setting SECRET_KEY is not the one that this database was made with.");
  }
}

/**
 * A libSQL client that survives SQLITE_BUSY. After one busy answer an embedded connection reports
 * later writes as done and loses them (tursodatabase/libsql-client-ts#352), so the connection is
 * replaced before anything is asked again. Every statement here is atomic by itself, so asking again is safe.
 */
function steady(config: ClientConfig): Client {
  const client = createClient(config);
  const again =
    <A extends unknown[], R>(ask: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      const deadline = Date.now() + patienceMilliseconds;
      for (;;) {
        try {
          return await ask(...args);
        } catch (error) {
          if (!isBusy(error)) throw error;
          client.reconnect();
          if (Date.now() > deadline) throw new Refusal("unavailable");
          await Bun.sleep(20);
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

function isBusy(error: unknown): boolean {
  if (error instanceof LibsqlError) return error.code.startsWith("SQLITE_BUSY");
  return error instanceof Error && error.cause !== undefined && isBusy(error.cause);
}
