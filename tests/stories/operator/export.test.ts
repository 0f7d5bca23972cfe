import { afterAll, expect, test } from "bun:test";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exportedTables, notExported } from "@/operator/files/export-tables";
import { getTableColumns, getTableName } from "drizzle-orm";
import { readCsv } from "@/domain/imports/read-csv";
import { operate, operated } from "../../support/operator/run-operator";
import { openStage } from "../../support/shop/stage";

const scratch = await mkdtemp(join(tmpdir(), "latchkey-export-"));
afterAll(() => rm(scratch, { recursive: true, force: true }));
const why = ["--reason", "moving out"];

test("everything is exported without secrets, keys only on request, and can be imported elsewhere", async () => {
  await using stage = await openStage();
  const { key } = await stage.buy();
  const owner = stage.person();
  await owner.register(key, "owner");
  const token: string = (await owner.post("/api/user/info/reset/token")).body.data.api_key;
  const masked = join(scratch, "masked");
  const report = await operated(stage, "export", masked, ...why);
  expect(report).toMatchObject({ licences: 1, accounts: 1, payments: 1 });
  const names = await readdir(masked);
  expect(names.toSorted()).toEqual(exportedTables.map(({ name }) => `${name}.csv`).toSorted());
  const all = (await Promise.all(names.map((name) => Bun.file(join(masked, name)).text()))).join("");
  expect(all).toContain("owner@example.com");
  expect(await Bun.file(join(masked, "accounts.csv")).bytes()).toHaveProperty([0], 0xef);
  expect(all).not.toContain(key);
  expect(all).not.toContain(token);
  expect(all).not.toMatch(/argon2|v1\./);
  expect((await stat(join(masked, "accounts.csv"))).mode & 0o777).toBe(0o600);
  // existing files are not overwritten
  expect((await operate(stage, "export", masked, ...why)).err).toContain("already exists");

  const whole = join(scratch, "whole");
  await operated(stage, "export", whole, "--keys", ...why);
  await using elsewhere = await openStage();
  const moved = await operated(elsewhere, "import", "keys", join(whole, "licences.csv"), ...why);
  expect(moved).toMatchObject({ made: 1, known: 0, refused: 0 });
  expect((await elsewhere.person().register(key, "owner")).status).toBe(200);
});

test("JSON lines contain the same as CSV, and texts are unchanged", async () => {
  await using stage = await openStage();
  const words = 'He said: "it\'s, well,\nbroken"';
  await operated(stage, "changelog", "add", "--title", "=1+1", "--content", words, ...why);
  const [csv, jsonl] = [join(scratch, "csv"), join(scratch, "jsonl")];
  await operated(stage, "export", csv, ...why);
  await operated(stage, "export", jsonl, "--format", "jsonl", ...why);
  const [heading, entry] = readCsv(await Bun.file(join(csv, "changelog.csv")).text());
  const row = Object.fromEntries(heading?.cells.map((name, at) => [name, entry?.cells[at]]) ?? []);
  // a spreadsheet must not run it
  expect(row).toMatchObject({ title: "'=1+1", content: words });
  const [line = ""] = (await Bun.file(join(jsonl, "changelog.jsonl")).text()).split("\n");
  expect(JSON.parse(line)).toMatchObject({ title: "=1+1", content: words });
});

test("each table is exported or withheld on purpose, and no column with a secret is exported", async () => {
  await using stage = await openStage();
  const { rows } = await stage.ctx.store.client.execute(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name NOT LIKE '\\_\\_%' ESCAPE '\\'",
  );
  const known = [...exportedTables.map(({ table }) => getTableName(table)), ...Object.keys(notExported)];
  expect(known.toSorted()).toEqual(rows.map((row) => row["name"] as string).toSorted());
  for (const { table, without } of exportedTables) {
    const columns = Object.values(getTableColumns(table)).map(({ name }) => name);
    expect(without.filter((name) => !columns.includes(name))).toEqual([]);
    const going = columns.filter((name) => !without.includes(name));
    // the hash of a build's bytes is published with it
    const secret = going.filter((name) => /hash|sealed|secret|token|password/.test(name));
    expect({ table: getTableName(table), secret }).toEqual({ table: getTableName(table), secret: [] });
  }
});
