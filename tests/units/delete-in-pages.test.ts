import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, spyOn, test } from "bun:test";
import { eq } from "drizzle-orm";
import type { Ctx } from "@/core/context";
import { openStore } from "@/core/database";
import Database from "libsql";
import { deleteInPages } from "@/core/delete-in-pages";
import { commitMarks } from "@/core/schema";

type SqliteDatabase = InstanceType<typeof Database>;
const count = "SELECT count(*) AS n FROM commit_marks WHERE stored = 1";

test("rows are deleted a few in a commit, so that no commit holds up requests, and all that meet the condition", async () => {
  const folder = mkdtempSync(join(tmpdir(), "delete-in-pages-"));
  const store = await openStore({ url: `file:${join(folder, "shop.db")}` });
  try {
    const marks = (count: number, stored: boolean) =>
      Array.from({ length: count }, () => ({ id: crypto.randomUUID(), stored }));
    await store.db.insert(commitMarks).values([...marks(60, true), ...marks(3, false)]);
    const isStored = eq(commitMarks.stored, true);
    const left: number[] = [];
    // oxlint-disable-next-line typescript/unbound-method -- called with the database that it was taken from
    const { exec } = Database.prototype;
    using _ = spyOn(Database.prototype, "exec").mockImplementation(function (this: SqliteDatabase, sql) {
      const done = exec.call(this, sql);
      if (sql === "COMMIT") left.push((this.prepare(count).get() as { n: number }).n);
      return done;
    });
    await deleteInPages({ store } as Ctx, commitMarks.id, isStored);
    expect(left).toEqual([50, 40, 30, 20, 10, 0]);
    expect(await store.db.$count(commitMarks)).toBe(3);
  } finally {
    store.close();
    rmSync(folder, { recursive: true });
  }
});
