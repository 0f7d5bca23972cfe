import { and, inArray, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { commit } from "./commit";
import type { Ctx } from "./context";

/** A payment stands in seventeen indexes: at 10⁵ accounts, deleting 200 of them held up every request for 46 ms. */
const rowsDeletedTogether = 25;

/** Deletes the rows of the key's table that meet a condition, a page at a time, so that requests run in between. */
export async function deleteInPages(ctx: Ctx, key: SQLiteColumn, which: SQL | undefined): Promise<void> {
  const { db } = ctx.store;
  for (;;) {
    const began = performance.now();
    const page = await db.select({ key }).from(key.table).where(which).limit(rowsDeletedTogether);
    const keys = page.map((row) => row.key);
    // repeats the condition: a row may have changed meanwhile, such as a session in use
    if (keys.length > 0)
      await commit(ctx.store, [db.delete(key.table).where(and(inArray(key, keys), which))]);
    if (keys.length < rowsDeletedTogether) return;
    // takes at most half of the process's time
    await Bun.sleep(performance.now() - began);
  }
}
