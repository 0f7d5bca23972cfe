import { and, eq, gt, gte, lt, lte, or, sql } from "drizzle-orm";
import type { Ctx } from "./context";
import type { Store } from "./database";
import { networksOf } from "./networks";
import { Refusal } from "./refusal";
import { limitCounters } from "./schema";

/** At most `most` in each window of `seconds`. */
export type Limit = { name: string; most: number; seconds: number };

/** Somebody whose attempts a limit counts. */
export type Counted = { limit: Limit; who: string };

/** An address counts for each network that it is part of, a wider one more generously. */
export const byAddress = (limit: Limit, address: string): Counted[] =>
  networksOf(address).map(({ network, share }) => ({
    limit: { ...limit, most: limit.most * share },
    who: network,
  }));

/**
 * Counts one attempt in the database and refuses with `rate_limited` when there were too many.
 * Resolves to a function that takes the attempt back, for limits that count only failures or successes.
 */
export async function spend(ctx: Ctx, limit: Limit, who: string): Promise<() => Promise<void>> {
  return spendAll(ctx, [{ limit, who }]);
}

/** The same for an address and the networks around it. */
export const spendByAddress = (ctx: Ctx, limit: Limit, address: string) =>
  spendAll(ctx, byAddress(limit, address));

/**
 * Counts one attempt for all of them, or for none and refuses where one had too many.
 * One atomic statement, so that racing attempts can't slip through, and a restart clears nothing.
 * A refused one writes nothing, so that a flood of them costs no disk.
 */
export async function spendAll(ctx: Ctx, counted: Counted[]): Promise<() => Promise<void>> {
  const { count, endsAt, key } = limitCounters;
  expectNotFull(ctx, counted);
  const now = ctx.now();
  const counters = counted.map((one) => ({ ...one.limit, key: keyOf(ctx, one) }));
  const full = or(...counters.map((one) => and(eq(key, one.key), gt(endsAt, now), gte(count, one.most))));
  const rows = counters.map((one) => sql`(${one.key}, ${now.getTime() + one.seconds * 1000})`);
  const over = lte(endsAt, now);
  const taken = await ctx.store.db.all(sql`
    INSERT INTO ${limitCounters} (key, count, ends_at)
    SELECT column1, 1, column2 FROM (VALUES ${sql.join(rows, sql`, `)})
    WHERE NOT EXISTS (SELECT 1 FROM ${limitCounters} WHERE ${full})
    ON CONFLICT (key) DO UPDATE SET
      count = CASE WHEN ${over} THEN 1 ELSE ${count} + 1 END,
      ends_at = CASE WHEN ${over} THEN excluded.ends_at ELSE ${endsAt} END
    RETURNING key`);
  if (taken.length === 0) {
    const found = await ctx.store.db.select({ key, endsAt }).from(limitCounters).where(full);
    for (const one of found) remember(ctx, one.key, one.endsAt.getTime());
    throw tooMany(Math.max(0, ...found.map((one) => one.endsAt.getTime())) - now.getTime());
  }
  return async () => {
    for (const one of counters) await takeBack(ctx, one.key);
  };
}

/** Takes one counted attempt back. */
export async function takeBack(ctx: Ctx, key: string): Promise<void> {
  fullCounters.get(ctx.store)?.delete(key);
  await ctx.store.db
    .update(limitCounters)
    .set({ count: sql`max(${limitCounters.count} - 1, 0)` })
    .where(eq(limitCounters.key, key));
}

/** The counters that were found full, and until when: a flood of refused attempts need not ask the database. */
const fullCounters = new WeakMap<Store, Map<string, number>>();
const mostRemembered = 10_000;

function remember(ctx: Ctx, key: string, endsAt: number): void {
  const known = fullCounters.get(ctx.store) ?? new Map<string, number>();
  fullCounters.set(ctx.store, known);
  known.delete(key);
  known.set(key, endsAt);
  const [oldest] = known.keys();
  if (known.size > mostRemembered && oldest !== undefined) known.delete(oldest);
}

/** Refuses without a look at the database where a counter is known to be full. */
export function expectNotFull(ctx: Ctx, counted: Counted[]): void {
  const known = fullCounters.get(ctx.store);
  if (!known || known.size === 0) return;
  const wait = Math.max(...counted.map((one) => known.get(keyOf(ctx, one)) ?? 0)) - ctx.now().getTime();
  if (wait > 0) throw tooMany(wait);
}

/** Under which a counter is stored; addresses and names only as fingerprints. */
export const keyOf = (ctx: Ctx, { limit, who }: Counted) =>
  `${limit.name}:${ctx.secrets.fingerprint("address", who)}`;

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
