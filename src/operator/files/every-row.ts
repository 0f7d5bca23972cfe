import { asc, gt, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Ctx } from "@/core/database/context";

const pageSize = 500;
const rowid = sql<number>`rowid`;

/** A whole table in insertion order, a page at a time so that requests are served in between. */
export async function* everyRow<T extends SQLiteTable>(
  ctx: Ctx,
  table: T,
): AsyncGenerator<T["$inferSelect"][]> {
  // the query builder can't infer the row type of a generic table
  const listed: SQLiteTable = table;
  for (let after = 0; ;) {
    const page = await ctx.store.db
      .select({ rowid, row: listed })
      .from(listed)
      .where(gt(rowid, after))
      .orderBy(asc(rowid))
      .limit(pageSize);
    if (page.length > 0) yield page.map(({ row }) => row as T["$inferSelect"]);
    const last = page.at(-1);
    if (!last || page.length < pageSize) return;
    after = last.rowid;
  }
}
