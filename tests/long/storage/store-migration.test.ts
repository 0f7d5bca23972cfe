import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "bun:test";
import { type Client, createClient } from "@libsql/client";

const opener = new URL("../../crash/open-store.ts", import.meta.url).pathname;
const drizzle = new URL("../../../drizzle/", import.meta.url).pathname;
const strace = Bun.which("strace");

/** A shop's database as it was after the first migration, with one payment in it. */
async function oldDatabase() {
  const folder = await mkdtemp(join(tmpdir(), "latchkey-migration-"));
  const client = createClient({ url: `file:${join(folder, "shop.db")}` });
  const journal = JSON.parse(await readFile(join(drizzle, "meta/_journal.json"), "utf8")) as {
    entries: { tag: string; when: number }[];
  };
  const [ground] = journal.entries;
  const statements = (await readFile(join(drizzle, `${ground?.tag}.sql`), "utf8")).split(
    "--> statement-breakpoint",
  );
  await client.execute("PRAGMA journal_mode = WAL");
  await client.batch(
    [
      ...statements,
      "CREATE TABLE __drizzle_migrations (id SERIAL PRIMARY KEY, hash text NOT NULL, created_at numeric)",
      `INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('', ${ground?.when})`,
      "INSERT INTO payments (id, session_id, state, amount, currency, livemode, created_at) VALUES ('p', 'cs', 'open', 500, 'usd', 0, 1)",
    ],
    "write",
  );
  client.close();
  await Bun.write(join(folder, ".created"), "");
  return { folder, file: join(folder, "shop.db"), migrations: journal.entries.length };
}

const numberOf = async (client: Client, sql: string) => Number((await client.execute(sql)).rows[0]?.n);

/** All of the migrations or none, and the payment that was there. */
async function expectAllOrNothing(file: string, migrations: number) {
  const client = createClient({ url: `file:${file}` });
  expect((await client.execute("PRAGMA integrity_check")).rows[0]?.integrity_check).toBe("ok");
  expect(await numberOf(client, "SELECT count(*) AS n FROM payments")).toBe(1);
  const done = await numberOf(client, "SELECT count(*) AS n FROM __drizzle_migrations");
  expect([1, migrations]).toContain(done);
  client.close();
  return done > 1;
}

async function run(command: string[]) {
  const child = Bun.spawn(command, { stdout: "pipe", stderr: "ignore" });
  const output = await new Response(child.stdout).text();
  await child.exited;
  return { output: output.trim(), killed: child.signalCode !== null || child.exitCode !== 0 };
}

test("a kill at any write of a migration leaves all of it or none, and the next start completes it", async () => {
  if (!strace) console.log("strace is not here: kills are timed instead of placed");
  const outcomes = new Set<string>();
  for (let nth = 1; nth <= 61; nth += 6) {
    const { folder, file, migrations } = await oldDatabase();
    const place = [
      "-f",
      "-o",
      "/dev/null",
      "-e",
      "trace=pwrite64",
      "-e",
      `inject=pwrite64:signal=KILL:when=${nth}`,
    ];
    const { killed } = strace
      ? await run([strace, ...place, process.execPath, opener, file])
      : await run(["timeout", "-s", "KILL", String(0.1 + nth / 200), process.execPath, opener, file]);
    const migrated = await expectAllOrNothing(file, migrations);
    outcomes.add(`${killed ? "killed" : "lived"}, ${migrated ? "migrated" : "as before"}`);
    expect((await run([process.execPath, opener, file])).output).toBe('{"payments":1}');
    expect(await expectAllOrNothing(file, migrations)).toBe(true);
    await rm(folder, { recursive: true });
  }
  expect(outcomes).toContain("killed, as before");
});
