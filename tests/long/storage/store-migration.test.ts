import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "bun:test";
import type { Client } from "@libsql/client";
import { openStore } from "@/core/database/database";
import { databaseAt } from "../../crash/processes";
import { copyRelease } from "../../support/shop/other-release";

const strace = Bun.which("strace");

/** A next release, with a migration of many pages. */
const next = await copyRelease({
  texts: [],
  migration: `ALTER TABLE payments ADD next text;--> statement-breakpoint
CREATE TABLE next AS WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60) SELECT randomblob(4096) AS page FROM n;--> statement-breakpoint
CREATE INDEX next_page ON next (page);`,
});
const opener = join(next.folder, "tests/open-store.ts");
await cp(new URL("../../crash/open-store.ts", import.meta.url).pathname, opener);
afterAll(() => next[Symbol.asyncDispose]());

/** A shop's database as this release leaves it, with one payment in it. */
async function databaseBefore() {
  const folder = await mkdtemp(join(tmpdir(), "latchkey-migration-"));
  const file = join(folder, "shop.db");
  const store = await openStore({ url: `file:${file}` }, { sole: true });
  await store.client.execute(
    "INSERT INTO payments (id, session_id, state, amount, currency, livemode, created_at) VALUES ('p', 'cs', 'open', 500, 'usd', 0, 1)",
  );
  store.close();
  return { folder, file };
}

const numberOf = async (client: Client, sql: string) => Number((await client.execute(sql)).rows[0]?.n);

/** All of the migration or nothing, and the payment that was there. */
async function expectAllOrNothing(file: string) {
  const client = databaseAt(file);
  expect((await client.execute("PRAGMA integrity_check")).rows[0]?.integrity_check).toBe("ok");
  expect(await numberOf(client, "SELECT count(*) AS n FROM payments")).toBe(1);
  const done = await numberOf(client, "SELECT count(*) AS n FROM __drizzle_migrations");
  const made = await numberOf(client, "SELECT count(*) AS n FROM sqlite_master WHERE name GLOB 'next*'");
  expect([
    [1, 0],
    [2, 2],
  ]).toContainEqual([done, made]);
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
    const { folder, file } = await databaseBefore();
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
    const migrated = await expectAllOrNothing(file);
    outcomes.add(`${killed ? "killed" : "lived"}, ${migrated ? "migrated" : "as before"}`);
    expect((await run([process.execPath, opener, file])).output).toBe('{"payments":1}');
    expect(await expectAllOrNothing(file)).toBe(true);
    await rm(folder, { recursive: true });
  }
  expect(outcomes).toContain("killed, as before");
});
