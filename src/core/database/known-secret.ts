import { existsSync } from "node:fs";
import type { Config } from "../settings/config";
import { fileOf } from "../settings/storage-location";
import { connectTo } from "./database";

/** Whether a database exists that knows a secret: another one would open nothing in it. Creates no file. */
export async function knowsSecret({ database }: Pick<Config, "database">): Promise<boolean> {
  const file = fileOf(database.url);
  if (file !== null && !existsSync(file)) return false;
  const client = await connectTo(database);
  try {
    const table = await client.execute("SELECT 1 FROM sqlite_master WHERE name = 'installation'");
    if (table.rows.length === 0) return false;
    const known = await client.execute("SELECT 1 FROM installation WHERE name = 'secret_key'");
    return known.rows.length > 0;
  } finally {
    client.close();
  }
}
