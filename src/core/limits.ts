import { eq, lt, lte, or, sql } from "drizzle-orm";
import type { Ctx } from "./context";
import { Refusal } from "./refusal";
import { limitCounters } from "./tables";

/** At most `most` in each window of `seconds`. */
export type Limit = { name: string; most: number; seconds: number };

/**
 * Counts one attempt in the database and refuses with `rate_limited` when there were too many.
 * One atomic statement, so that racing attempts can't slip through, and a restart clears nothing.
 * A refused one writes nothing, so that a flood of them costs no disk.
 * Resolves to a function that takes the attempt back, for limits that count only failures or successes.
 */
export async function spend(ctx: Ctx, limit: Limit, who: string): Promise<() => Promise<void>> {
  const now = ctx.now().getTime();
  // addresses and names are stored only as fingerprints
  const key = `${limit.name}:${ctx.secrets.fingerprint("address", who)}`;
  const over = lte(limitCounters.endsAt, ctx.now());
  const endsAt = now + limit.seconds * 1000;
  const [row] = await ctx.store.db
    .insert(limitCounters)
    .values({ key, count: 1, endsAt: new Date(endsAt) })
    .onConflictDoUpdate({
      target: limitCounters.key,
      set: {
        count: sql`CASE WHEN ${over} THEN 1 ELSE ${limitCounters.count} + 1 END`,
        endsAt: sql`CASE WHEN ${over} THEN ${endsAt} ELSE ${limitCounters.endsAt} END`,
      },
      setWhere: or(over, lt(limitCounters.count, limit.most)),
    })
    .returning();
  if (!row) throw tooMany(await remaining(ctx, key));
  return async () => {
    await ctx.store.db
      .update(limitCounters)
      .set({ count: sql`max(${limitCounters.count} - 1, 0)` })
      .where(eq(limitCounters.key, key));
  };
}

/** Milliseconds until a counter's window ends. */
export async function remaining(ctx: Ctx, key: string): Promise<number> {
  const [row] = await ctx.store.db.select().from(limitCounters).where(eq(limitCounters.key, key));
  return (row?.endsAt.getTime() ?? 0) - ctx.now().getTime();
}

/** Forgets the windows that are over. */
export async function forgetOldLimits(ctx: Ctx): Promise<void> {
  await ctx.store.db.delete(limitCounters).where(lt(limitCounters.endsAt, ctx.now()));
}

/** The refusal of a limit, with the whole seconds until the window ends. */
export const tooMany = (milliseconds: number) =>
  new Refusal("rate_limited", { retryAfterSeconds: Math.max(1, Math.ceil(milliseconds / 1000)) });
