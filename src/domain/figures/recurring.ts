import { and, eq, gte, isNotNull, lte, sql } from "drizzle-orm";
import type { Ctx } from "@/core/database/context";
import { offers } from "../schema/offers";
import { subscriptionRuns } from "../schema/subscriptions";
import { type Bucket, floorTo, spans } from "./buckets";
import { type Recurring, recurringChangesIn, type Scope } from "./sums";

/**
 * The monthly recurring revenue at the end of each of consecutive buckets, or now if that is earlier, in minor units;
 * null where no offer ever recurred.
 */
export async function recurringIn(ctx: Ctx, scope: Scope, buckets: Bucket[]): Promise<number[] | null> {
  const [first] = buckets;
  if (!first || !(await recurs(ctx))) return null;
  const now = ctx.now().getTime();
  const [before, ...changes] = await recurringChangesIn(ctx, scope, [
    { from: 0, until: first.from },
    ...buckets,
  ]);
  const current = buckets.some(({ until }) => until > now) ? (await runningAt(ctx, scope, now)).yearly : 0;
  let yearly = before?.yearly ?? 0;
  return buckets.map(({ until }, index) => {
    yearly += changes[index]?.yearly ?? 0;
    return monthly(until > now ? current : yearly);
  });
}

/** The same at one moment, or now if that is earlier. */
export async function recurringAt(ctx: Ctx, scope: Scope, at: number): Promise<number | null> {
  if (!(await recurs(ctx))) return null;
  return monthly((await runningAt(ctx, scope, at)).yearly);
}

const monthly = (yearly: number) => Math.round(yearly / 12);

/** Whether any offer ever recurred. */
export async function recurs({ store: { db } }: Ctx): Promise<boolean> {
  const found = await db
    .select({ one: sql`1` })
    .from(offers)
    .where(isNotNull(offers.every))
    .limit(1);
  return found.length > 0;
}

/** What runs at a moment, or now if that is earlier. The quarter-hour that has begun is summed up from the runs themselves. */
export async function runningAt(ctx: Ctx, scope: Scope, at: number): Promise<Recurring> {
  const now = ctx.now().getTime();
  const moment = Math.min(at, now);
  const quarter = floorTo(spans.quarter, moment);
  const [sums = nothing] = await recurringChangesIn(ctx, scope, [{ from: 0, until: quarter }]);
  if (at === quarter && at < now) return sums;
  const within = async (column: "from" | "until") => {
    const offerNames = scope.about.map((one) => one.slice("offer:".length));
    const [found = nothing] = await ctx.store.db
      .select({
        yearly: sql<number>`total(${subscriptionRuns.yearly})`,
        running: sql<number>`count(*)`,
      })
      .from(subscriptionRuns)
      .where(
        and(
          gte(subscriptionRuns[column], new Date(quarter)),
          lte(subscriptionRuns[column], new Date(moment)),
          eq(subscriptionRuns.livemode, ctx.livemode),
          eq(subscriptionRuns.currency, scope.currency),
          scope.about.includes("") ? undefined : sql`+${subscriptionRuns.offer} IN ${offerNames}`,
        ),
      );
    return found;
  };
  const [begun, ended] = [await within("from"), await within("until")];
  return {
    yearly: sums.yearly + begun.yearly - ended.yearly,
    running: sums.running + begun.running - ended.running,
  };
}

const nothing: Recurring = { yearly: 0, running: 0 };
