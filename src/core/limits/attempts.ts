import { eq, lte, or, lt, sql } from "drizzle-orm";
import type { Write } from "../database/commit";
import type { Ctx } from "../database/context";
import type { Limit } from "@/contract/vocabulary/limits";
import { keyOf, millisecondsLeft, uncount, rateLimited } from "./limits";
import { limitCounters } from "../database/schema";

export type Attempt = {
  /** The last attempt before the lock. */
  last: boolean;
  /** Resets the counter, for the commit that the right code authorises. */
  resetWrite(): Write;
  /** Refunds this attempt, when it turned out not to be a guess. */
  uncount(): Promise<void>;
};

/**
 * Spends one of the `most` attempts before a code is checked, so that concurrent guesses can't all be checked and a
 * crash in between gives none back. The last attempt locks for `seconds`; attempts during the lock are refused with
 * `rate_limited` and don't extend it.
 */
export async function takeAttempt(ctx: Ctx, limit: Limit, who: string): Promise<Attempt> {
  const now = ctx.now();
  const key = keyOf(ctx, { limit, who });
  const endsAt = new Date(now.getTime() + limit.seconds * 1000);
  const over = lte(limitCounters.endsAt, now);
  const [taken] = await ctx.store.db
    .insert(limitCounters)
    .values({ key, count: 1, endsAt })
    .onConflictDoUpdate({
      target: limitCounters.key,
      set: { count: sql`CASE WHEN ${over} THEN 1 ELSE ${limitCounters.count} + 1 END`, endsAt },
      setWhere: or(over, lt(limitCounters.count, limit.most)),
    })
    .returning();
  if (!taken) throw rateLimited(await millisecondsLeft(ctx, key));
  return {
    last: taken.count >= limit.most,
    resetWrite: () => ctx.store.db.delete(limitCounters).where(eq(limitCounters.key, key)),
    uncount: () => uncount(ctx, [{ limit, who }]),
  };
}
