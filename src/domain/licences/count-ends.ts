import { and, asc, inArray, lte, sql } from "drizzle-orm";
import { commit } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { changeClock, endIsUncounted } from "../schema/changes";
import { licences } from "../schema/licences";

const pageSize = 200;

/**
 * Counts the ends of licences that passed as changes, so that those who list what changed hear of them: nothing is
 * written when an end passes. A page at a time, so that requests are served in between.
 */
export async function countEnds(ctx: Ctx, stopping?: AbortSignal): Promise<void> {
  const { db } = ctx.store;
  const now = ctx.now().getTime();
  while (!stopping?.aborted) {
    const page = await db
      .select({ id: licences.id })
      .from(licences)
      .where(and(endIsUncounted, lte(licences.expiresAt, new Date(now))))
      .orderBy(asc(licences.expiresAt))
      .limit(pageSize);
    const ids = page.map(({ id }) => id);
    if (ids.length === 0) return;
    await commit(ctx.store, [
      // never before the end itself, should the database's clock be behind
      db.update(changeClock).set({ last: sql`max(${changeClock.last} + 1, ${now * 1000})` }),
      db
        .update(licences)
        .set({ changed: sql`(SELECT last FROM change_clock)` })
        .where(and(inArray(licences.id, ids), endIsUncounted)),
    ]);
    await new Promise(setImmediate);
  }
}
