import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { createClient } from "@libsql/client";
import { ConfigError } from "@/core/settings/config";
import { openStore } from "@/core/database/database";
import { seededRandom } from "../../crash/random";
import { holdLocked } from "../../support/network/hold-locked";
import { runProcess } from "../../support/operator/run-process";

const opener = new URL("../../crash/open-store.ts", import.meta.url).pathname;
let template = "";

type Opened = { code: number | null; output: string };

/** Opens a database as the shop does when it starts. */
async function open(file: string): Promise<Opened> {
  try {
    const store = await openStore({ url: `file:${file}` }, { sole: true });
    const { rows } = await store.client.execute("SELECT count(*) AS payments FROM payments");
    store.close();
    return { code: 0, output: JSON.stringify(rows[0]) };
  } catch (error) {
    return { code: 1, output: error instanceof ConfigError ? error.message : `unexpected: ${String(error)}` };
  }
}

/** The same in a process of its own. */
async function openElsewhere(file: string): Promise<Opened> {
  const { code, out } = await runProcess([process.execPath, opener, file]);
  return { code, output: out.trim() };
}

/** A database with five hundred payments in a folder of its own. */
async function usedDatabase() {
  const folder = await mkdtemp(join(tmpdir(), "latchkey-store-"));
  const file = join(folder, "shop.db");
  await copyFile(join(template, "shop.db"), file);
  await copyFile(join(template, ".created"), join(folder, ".created"));
  return { folder, file, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
}

const intact = { code: 0, output: '{"payments":500}' };

beforeAll(async () => {
  template = await mkdtemp(join(tmpdir(), "latchkey-store-"));
  const store = await openStore({ url: `file:${join(template, "shop.db")}` });
  await store.client.batch(
    Array.from(
      { length: 500 },
      (_, at) =>
        `INSERT INTO payments (id, session_id, state, amount, currency, livemode, created_at) VALUES ('p${at}', 'cs_${at}', 'open', 500, 'usd', 0, ${at})`,
    ),
    "write",
  );
  await store.client.execute("PRAGMA wal_checkpoint(TRUNCATE)");
  store.close();
});
afterAll(() => rm(template, { recursive: true }));

test("a database in use opens", async () => {
  await using store = await usedDatabase();
  expect(await open(store.file)).toEqual(intact);
});

test("a database that has disappeared prevents startup, and no new one is created", async () => {
  await using store = await usedDatabase();
  await rm(store.file);
  const { code, output } = await open(store.file);
  expect(code).toBe(1);
  expect(output).toMatch(/^The database .* is missing although it was created earlier: restore it, or .*\.$/);
  expect(existsSync(store.file)).toBe(false);
});

test("a database that was emptied prevents startup and stays as it is", async () => {
  await using store = await usedDatabase();
  truncateSync(store.file, 0);
  const { code, output } = await open(store.file);
  expect(code).toBe(1);
  expect(output).toContain("is empty although it was created earlier");
  expect(statSync(store.file).size).toBe(0);
});

test("another program's database in its place prevents startup", async () => {
  await using store = await usedDatabase();
  await rm(store.file);
  const other = createClient({ url: `file:${store.file}` });
  await other.execute("CREATE TABLE notes (text)");
  other.close();
  expect((await open(store.file)).output).toContain("does not belong to this shop");
});

test("a file that is not a database prevents startup", async () => {
  await using store = await usedDatabase();
  writeFileSync(store.file, "Once upon a time there was a shop.".repeat(400));
  expect(await open(store.file)).toMatchObject({ code: 1, output: expect.stringContaining("is damaged") });
});

test("flipped bits prevent startup, or nothing is lost", async () => {
  const seed = 8;
  const { whole: number } = seededRandom(seed);
  const outcomes: string[] = [];
  for (let trial = 0; trial < 12; trial += 1) {
    await using store = await usedDatabase();
    const bytes = readFileSync(store.file);
    for (let flips = 0; flips < 8; flips += 1) {
      const at = number(0, bytes.length - 1);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << number(0, 7));
    }
    // the header of a page, which describes the table's structure
    const page = number(1, Math.floor(bytes.length / 4096) - 1) * 4096;
    bytes[page] = (bytes[page] ?? 0) ^ 0b0110;
    writeFileSync(store.file, bytes);
    const { code, output } = await open(store.file);
    outcomes.push(output);
    if (code === 0) expect(output, `seed ${seed}, trial ${trial}`).toBe(intact.output);
    else expect(output, `seed ${seed}, trial ${trial}`).toMatch(/^The database .*\.$/);
  }
  expect(outcomes.some((output) => output.includes("is damaged"))).toBe(true);
});

test("a second shop on the same database refuses to start, and the first continues", async () => {
  await using store = await usedDatabase();
  const first = await openStore({ url: `file:${store.file}` }, { sole: true });
  const { code, output } = await openElsewhere(store.file);
  expect(code).toBe(1);
  expect(output).toMatch(/^Another shop is running on the database .*: stop it first\.$/);
  await first.client.execute("DELETE FROM payments WHERE id = 'p0'");
  first.close();
  expect((await openElsewhere(store.file)).output).toBe('{"payments":499}');
});

test("a database that another process holds locked prevents startup with a one-sentence message", async () => {
  await using store = await usedDatabase();
  const other = await holdLocked(store.file);
  const { code, output } = await openElsewhere(store.file);
  expect(code).toBe(1);
  expect(output).toMatch(
    /^The database .* is locked by another process: wait until that one has finished\.$/,
  );
  other.kill("SIGKILL");
  await other.exited;
  expect((await openElsewhere(store.file)).code).toBe(0);
});

test("a folder that can't be written to prevents startup with a one-sentence message", async () => {
  expect((await open("/proc/no-such-place/shop.db")).code).toBe(1);
});
