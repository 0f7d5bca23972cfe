import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "libsql";
import { fill } from "../growth/fill";

test("a shop that measurements fill is as whole as one that has sold", async () => {
  const folder = mkdtempSync(join(tmpdir(), "growth-"));
  const file = join(folder, "shop.db");
  try {
    await fill(1_100, { DATA_DIR: folder, SECRET_KEY: Buffer.alloc(32, 7).toString("base64") });
    const database = new Database(file);
    const count = (table: string) => database.prepare(`SELECT count(*) FROM ${table}`).raw().all().flat();
    expect(count("accounts")).toEqual([1_100]);
    expect(count("devices WHERE length(id) = 32")).toEqual([660]);
    expect(database.pragma("foreign_key_check")).toEqual([]);
    expect(database.prepare("PRAGMA integrity_check").raw().all()).toEqual([["ok"]]);
    database.close();
  } finally {
    rmSync(folder, { recursive: true });
  }
});
