import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, spyOn, test } from "bun:test";
import { and, inArray, eq, isNull, lt } from "drizzle-orm";
import type { Ctx } from "@/core/database/context";
import { openStore } from "@/core/database/database";
import Database from "libsql";
import { deleteInPages } from "@/core/database/delete-in-pages";
import { commitMarks } from "@/core/database/schema";
import { payments } from "@/domain/schema/payments";

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
    expect(left).toEqual([35, 10, 0]);
    expect(await store.db.$count(commitMarks)).toBe(3);
  } finally {
    store.close();
    rmSync(folder, { recursive: true });
  }
});

test("old rows are deleted by their key, however many others meet the condition", async () => {
  const folder = mkdtempSync(join(tmpdir(), "delete-in-pages-"));
  const store = await openStore({ url: `file:${join(folder, "shop.db")}` });
  try {
    const { id, state, createdAt, paidAt } = payments;
    const unpaid = and(inArray(state, ["open", "expired"]), lt(createdAt, new Date(1)), isNull(paidAt));
    using execute = spyOn(Database.prototype, "prepare");
    const old = (name: string) => ({
      id: name,
      sessionId: name,
      state: "expired" as const,
      seal: "",
      unitAmount: 500,
      currency: "usd",
      livemode: false,
      browserHash: "",
      createdAt: new Date(0),
    });
    await store.db.insert(payments).values(Array.from({ length: 25 }, (_, index) => old(`${index}`)));
    await deleteInPages({ store } as Ctx, id, unpaid);
    const deletion = execute.mock.calls.map(([statement]) => statement).find((it) => it.startsWith("delete"));
    const plan = await store.client.execute(`EXPLAIN QUERY PLAN ${deletion}`);
    expect(JSON.stringify(plan.rows)).toContain("sqlite_autoindex_payments_1 (id=?)");
  } finally {
    store.close();
    rmSync(folder, { recursive: true });
  }
});
