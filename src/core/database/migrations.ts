import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Client } from "@libsql/client";
import type { LibSQLDatabase } from "drizzle-orm/libsql";
import { migrate } from "drizzle-orm/libsql/migrator";
import { minute } from "@/contract/vocabulary/time";
import { ConfigError } from "../settings/config";
import { faultOf } from "./database-fault";

const migrationsFolder = fileURLToPath(new URL("../../../drizzle", import.meta.url));
const journal = `${migrationsFolder}/meta/_journal.json`;

/** The migrations of this version, oldest first; `when` is what drizzle records as `created_at`. */
const { entries } = JSON.parse(readFileSync(journal, "utf8")) as { entries: { when: number }[] };
const all = entries.length;

/** drizzle's own table, and an index that rejects a second record of the same migration. */
const record = [
  "CREATE TABLE IF NOT EXISTS __drizzle_migrations (id SERIAL PRIMARY KEY, hash text NOT NULL, created_at numeric)",
  "CREATE UNIQUE INDEX IF NOT EXISTS __drizzle_migrations_once ON __drizzle_migrations (created_at)",
];

/** How long a start waits for the migrations of another process. */
const timeoutMilliseconds = minute;

/**
 * Applies the missing migrations in one transaction. If several processes start together on a database server, one
 * wins; the others' transactions fail as a whole, at an existing table or at the record, and check again.
 */
export async function applyMigrations({ db, client }: { db: LibSQLDatabase; client: Client }): Promise<void> {
  const known = await client.execute("SELECT 1 FROM sqlite_master WHERE name = '__drizzle_migrations_once'");
  if (known.rows.length === 0) await client.batch(record, "write");
  const deadline = Date.now() + timeoutMilliseconds;
  for (;;) {
    const before = await countApplied(client);
    try {
      await migrate(db, { migrationsFolder });
      return;
    } catch (error) {
      const isRace = faultOf(error) === "busy" || (await countApplied(client)) > before;
      if (!isRace || Date.now() > deadline) throw error;
      await Bun.sleep(20);
    }
  }
}

/** Refuses a database whose first migration is older than this version's ({@link ConfigError}); changes nothing. */
export async function expectUpgradable(client: Client, where: string): Promise<void> {
  const ground = entries[0]?.when ?? 0;
  const { rows } = await client.execute({
    sql: "SELECT 1 FROM __drizzle_migrations WHERE created_at < ? LIMIT 1",
    args: [ground],
  });
  if (rows.length === 0) return;
  throw new ConfigError(
    `The database ${where} was made before release 0.3.0, and databases are upgraded only from that one on: begin with a new database.`,
  );
}

/** `behind`: can't serve this version. `ahead`: a newer version, which may be running too, has migrated it. */
export async function migrationState({
  client,
}: {
  client: Client;
}): Promise<"current" | "behind" | "ahead"> {
  const count = await countApplied(client);
  if (count === all) return "current";
  return count < all ? "behind" : "ahead";
}

/** How many migrations a database has. */
export const appliedMigrations = ({ client }: { client: Client }): Promise<number> => countApplied(client);

async function countApplied(client: Client): Promise<number> {
  const { rows } = await client.execute("SELECT count(*) FROM __drizzle_migrations");
  return Number(rows[0]?.[0]);
}
