import { asc, gt } from "drizzle-orm";
import type { Ctx } from "@/core/context";
import type { accounts } from "../accounts/tables";
import type { licences } from "../licences/tables";
import type { payments } from "../payments/tables";

type Listed = typeof accounts | typeof licences | typeof payments;

const pageSize = 500;

/** A whole table in the order of its ids, a page at a time, so that others are served between. */
export async function* everyRow<T extends Listed>(ctx: Ctx, table: T): AsyncGenerator<T["$inferSelect"][]> {
  // the query builder knows each table's rows, but not those of one that is not chosen yet
  const listed: Listed = table;
  for (let after = ""; ;) {
    const page: T["$inferSelect"][] = await ctx.store.db
      .select()
      .from(listed)
      .where(gt(listed.id, after))
      .orderBy(asc(listed.id))
      .limit(pageSize);
    if (page.length > 0) yield page;
    const last = page.at(-1);
    if (!last || page.length < pageSize) return;
    after = last.id;
  }
}
