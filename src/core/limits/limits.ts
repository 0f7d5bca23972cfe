import { and, eq, gt, gte, inArray, lt, lte, or, sql } from "drizzle-orm";
import { commit, isDuplicate, type Write } from "../database/commit";
import type { Ctx } from "../database/context";
import type { Store } from "../database/database";
import { deleteInPages } from "../database/delete-in-pages";
import { networksOf } from "./networks";
import { preparedRead, preparedWrite } from "../database/prepared";
import { Refusal, refusalIn } from "../base/refusal";
import type { Limit } from "@/contract/vocabulary/limits";
import { limitCounters } from "../database/schema";

/** A limit, and the account, address or token whose attempts it counts. */
export type LimitUse = { limit: Limit; who: string };

/** An address counts towards each network it belongs to; a wider network is allowed more. */
export const byAddress = (limit: Limit, address: string): LimitUse[] =>
  networksOf(address).map(({ network, share }) => ({
    limit: { ...limit, most: limit.most * share },
    who: network,
  }));

/** Counts one attempt in the database, or refuses with `rate_limited` if there were too many. */
export const spend = (ctx: Ctx, limit: Limit, who: string) => spendAll(ctx, [{ limit, who }]);

/** {@link spend}, for what is left out rather than refused: whether it is within its limit. */
export const trySpend = (ctx: Ctx, limit: Limit, who: string): Promise<boolean> =>
  spend(ctx, limit, who).then(
    () => true,
    (error: unknown) => {
      if (refusalIn(error)?.code === "rate_limited") return false;
      throw error;
    },
  );

/** {@link spend} for an address and the networks around it. */
export const spendByAddress = (ctx: Ctx, limit: Limit, address: string) =>
  spendAll(ctx, byAddress(limit, address));

/** {@link spend}, for an attempt that counts only if it is not refused. */
export async function spendUnlessRefused<T>(
  ctx: Ctx,
  limit: Limit,
  who: string,
  attempt: () => Promise<T>,
): Promise<T> {
  await spend(ctx, limit, who);
  return attempt().catch(async (error: unknown) => {
    // an `unconfirmed` commit may have been stored; a duplicate row is another attempt's
    const storedNothing = error instanceof Refusal ? error.code !== "unconfirmed" : isDuplicate(error, "");
    if (storedNothing) await uncount(ctx, [{ limit, who }]);
    throw error;
  });
}

/**
 * Counts one attempt towards all of them; if one is exhausted, counts none and refuses. One atomic statement, so
 * concurrent attempts can't slip through, and a restart clears nothing. A refused attempt writes nothing, so a flood
 * of them costs no disk writes.
 */
export async function spendAll(ctx: Ctx, counted: LimitUse[]): Promise<void> {
  expectNotFull(ctx, counted);
  const now = ctx.now().getTime();
  const values = Object.fromEntries(
    counted.flatMap((one, at) => [
      [`key${at}`, keyOf(ctx, one)],
      [`most${at}`, one.limit.most],
      [`endsAt${at}`, now + one.limit.seconds * 1000],
    ]),
  );
  const taken = await counting(counted.length)(ctx.store).all({ ...values, now });
  if (taken.length === 0) {
    const found = await fullOnes(counted.length)(ctx.store).all({ ...values, now });
    for (const one of found) remember(ctx, one.key, one.endsAt.getTime());
    throw rateLimited(Math.max(0, ...found.map((one) => one.endsAt.getTime())) - now);
  }
}

/** What is prepared once for each number of counters, of which no attempt has more than a few. */
function byNumber<T>(prepare: (numbers: number[]) => T): (many: number) => T {
  const prepared = new Map<number, T>();
  return (many) => {
    const known = prepared.get(many) ?? prepare(Array.from({ length: many }, (_, at) => at));
    prepared.set(many, known);
    return known;
  };
}

const { count, endsAt, key } = limitCounters;
const present = sql.placeholder("now");
const keyAt = (at: number) => sql.placeholder(`key${at}`);
const anyIsFull = (numbers: number[]) =>
  or(
    ...numbers.map((at) =>
      and(eq(key, keyAt(at)), gt(endsAt, present), gte(count, sql.placeholder(`most${at}`))),
    ),
  );

const counting = byNumber((numbers) =>
  preparedRead((db) => {
    const rows = numbers.map((at) => sql`(${keyAt(at)}, ${sql.placeholder(`endsAt${at}`)})`);
    const over = lte(endsAt, present);
    return db
      .insert(limitCounters)
      .select(
        sql`SELECT column1, 1, column2 FROM (VALUES ${sql.join(rows, sql`, `)})
            WHERE NOT EXISTS (SELECT 1 FROM ${limitCounters} WHERE ${anyIsFull(numbers)})`,
      )
      .onConflictDoUpdate({
        target: key,
        set: {
          count: sql`CASE WHEN ${over} THEN 1 ELSE ${count} + 1 END`,
          endsAt: sql`CASE WHEN ${over} THEN excluded.ends_at ELSE ${endsAt} END`,
        },
      })
      .returning({ key })
      .prepare();
  }),
);

const fullOnes = byNumber((numbers) =>
  preparedRead((db) => db.select({ key, endsAt }).from(limitCounters).where(anyIsFull(numbers)).prepare()),
);

/** Refunds counted attempts, for limits that count only failures or only successes. */
export const uncount = (ctx: Ctx, counted: LimitUse[]): Promise<void> =>
  commit(ctx.store, [uncountWrite(ctx, counted)]);

/** {@link uncount} as a write, for a larger commit. */
export function uncountWrite(ctx: Ctx, counted: LimitUse[]): Write {
  const keys = counted.map((one) => keyOf(ctx, one));
  for (const one of keys) fullCounters.get(ctx.store)?.delete(one);
  return givingBack(keys.length)(ctx.store, Object.fromEntries(keys.map((one, at) => [`key${at}`, one])));
}

const givingBack = byNumber((numbers) =>
  preparedWrite((db) =>
    db
      .update(limitCounters)
      .set({ count: sql`max(${count} - 1, 0)` })
      .where(inArray(key, numbers.map(keyAt))),
  ),
);

/** An exhausted counter: when it ends, and until when to believe that without asking the database. */
type Full = { endsAt: number; until: number };

/** Exhausted counters, so that a flood of refused attempts costs no queries. */
const fullCounters = new WeakMap<Store, Map<string, Full>>();
const mostRemembered = 10_000;
/** How long to believe that on a shared database, where another process may refund attempts. */
const sharedMilliseconds = 1_000;

function remember(ctx: Ctx, key: string, endsAt: number): void {
  const known = fullCounters.get(ctx.store) ?? new Map<string, Full>();
  fullCounters.set(ctx.store, known);
  known.delete(key);
  const until = ctx.store.sole ? endsAt : Math.min(endsAt, ctx.now().getTime() + sharedMilliseconds);
  known.set(key, { endsAt, until });
  const [oldest] = known.keys();
  if (known.size > mostRemembered && oldest !== undefined) known.delete(oldest);
}

/** The write that forgets all that was counted. */
export const resetCountWrite = (ctx: Ctx, counted: LimitUse): Write =>
  ctx.store.db.delete(limitCounters).where(eq(limitCounters.key, keyOf(ctx, counted)));

/** Refuses without a query if a counter is known to be exhausted. */
export function expectNotFull(ctx: Ctx, counted: LimitUse[]): void {
  const known = fullCounters.get(ctx.store);
  if (!known || known.size === 0) return;
  const now = ctx.now().getTime();
  const full = counted.map((one) => known.get(keyOf(ctx, one))).filter((one) => one && one.until > now);
  if (full.length > 0) throw rateLimited(Math.max(...full.map((one) => one?.endsAt ?? 0)) - now);
}

/** The key of a counter; addresses and names appear in it only as fingerprints. */
export const keyOf = (ctx: Ctx, { limit, who }: LimitUse) =>
  `${limit.name}:${ctx.secrets.fingerprint("address", who)}`;

/** Milliseconds until a counter's window ends. */
export async function millisecondsLeft(ctx: Ctx, key: string): Promise<number> {
  const [row] = await ctx.store.db.select().from(limitCounters).where(eq(limitCounters.key, key));
  return (row?.endsAt.getTime() ?? 0) - ctx.now().getTime();
}

/** Deletes counters whose window has ended. */
export async function forgetOldLimits(ctx: Ctx): Promise<void> {
  await deleteInPages(ctx, limitCounters.key, lt(limitCounters.endsAt, ctx.now()));
}

/** The refusal of a limit, with the whole seconds until the window ends. */
export const rateLimited = (milliseconds: number) =>
  new Refusal("rate_limited", { retryAfterSeconds: Math.max(1, Math.ceil(milliseconds / 1000)) });
