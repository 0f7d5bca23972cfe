/** `bun tests/crash/open-store.ts <file>`: opens a database as the shop does, prints what is in it, and exits. */
import { pathToFileURL } from "node:url";
import { ConfigError } from "@/core/settings/config";
import { openStore } from "@/core/database/database";

try {
  const store = await openStore({ url: pathToFileURL(process.argv[2] ?? "").href }, { sole: true });
  const { rows } = await store.client.execute("SELECT count(*) AS payments FROM payments");
  console.log(JSON.stringify(rows[0]));
  store.close();
} catch (error) {
  console.log(error instanceof ConfigError ? error.message : `unexpected: ${String(error)}`);
  process.exit(1);
}
