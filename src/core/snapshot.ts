import { constants, setPriority } from "node:os";
import { createClient } from "@libsql/client";

/**
 * `bun snapshot.ts <database> <copy>`: copies a database as it is at one moment, while others write to it
 * (`VACUUM INTO` reads one snapshot of the WAL). A program of its own, because the database works in the
 * thread that asks it, and a shop that copies for seconds would answer nobody meanwhile.
 */
const [database = "", copy = ""] = process.argv.slice(2);
// whoever buys goes first
setPriority(constants.priority.PRIORITY_LOW);
// a copy of the database that nothing seals
process.umask(0o077);
const client = createClient({ url: `file:${database}`, concurrency: 1 });
try {
  await client.execute({ sql: "VACUUM INTO ?", args: [copy] });
} catch (error) {
  const code = error instanceof Error && "code" in error ? error.code : null;
  process.stderr.write(String(code ?? error));
  process.exitCode = 1;
} finally {
  client.close();
}
