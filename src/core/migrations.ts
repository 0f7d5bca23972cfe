import { readFileSync } from "node:fs";
import type { Store } from "./database";

const journal = new URL("../../drizzle/meta/_journal.json", import.meta.url);

/** How many migrations this version has, read when it starts. */
const known = (JSON.parse(readFileSync(journal, "utf8")) as { entries: unknown[] }).entries.length;

/** `behind` can't serve this version; `ahead` was migrated by a newer version that is also running. */
export async function migrationState(store: Store): Promise<"current" | "behind" | "ahead"> {
  const { rows } = await store.client.execute("SELECT count(*) FROM __drizzle_migrations");
  const applied = Number(rows[0]?.[0]);
  if (applied === known) return "current";
  return applied < known ? "behind" : "ahead";
}
