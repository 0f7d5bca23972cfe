import { and, inArray, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { withoutIndex } from "./without-index";
import { commit } from "./commit";
import type { Ctx } from "./context";
import { atBackgroundPace } from "../base/yield";

/** Each row is removed from every index of its table; a payment is in seventeen. */
const rowsDeletedTogether = 25;

/** Deletes the rows of the key's table that meet a condition, a page at a time, so that requests run in between. */
export async function deleteInPages(ctx: Ctx, key: SQLiteColumn, which: SQL | undefined): Promise<void> {
  while (await atBackgroundPace(() => deletePage(ctx, key, which)));
}

/** Whether there may be more. */
async function deletePage(ctx: Ctx, key: SQLiteColumn, which: SQL | undefined): Promise<boolean> {
  const { db } = ctx.store;
  const page = await db.select({ key }).from(key.table).where(which).limit(rowsDeletedTogether);
  const keys = page.map((row) => row.key);
  // repeats the condition: a row may have changed meanwhile, such as a session in use
  if (keys.length > 0) {
    await commit(ctx.store, [db.delete(key.table).where(and(inArray(key, keys), withoutIndex(which)))]);
  }
  return keys.length === rowsDeletedTogether;
}
