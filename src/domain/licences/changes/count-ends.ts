import { and, asc, inArray, lte, sql } from "drizzle-orm";
import { commit } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { othersTurn } from "@/core/base/others-turn";
import { changeClock, endIsUncounted } from "../../schema/changes";
import { licences } from "../../schema/licences";

const pageSize = 200;

/**
 * Counts licence ends that have passed as changes, so that lists of changes include them: nothing else writes when an
 * end passes. Works a page at a time, and requests are served in between.
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
      // never before the end itself, even if the database's clock is behind
      db.update(changeClock).set({ last: sql`max(${changeClock.last} + 1, ${now * 1000})` }),
      db
        .update(licences)
        .set({ changed: sql`(SELECT last FROM change_clock)` })
        .where(and(inArray(licences.id, ids), endIsUncounted)),
    ]);
    await othersTurn();
  }
}
