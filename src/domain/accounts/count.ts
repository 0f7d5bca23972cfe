import { eq } from "drizzle-orm";
import type { Ctx } from "@/core/context";
import { rowCounts } from "@/core/schema";

/** How many accounts the shop has. */
export async function countAccounts(ctx: Ctx): Promise<number> {
  const [row] = await ctx.store.db.select().from(rowCounts).where(eq(rowCounts.tableName, "accounts"));
  return row?.count ?? 0;
}
