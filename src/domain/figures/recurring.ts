import { and, eq, gte, isNotNull, lte, sql, sum } from "drizzle-orm";
import type { Ctx } from "@/core/context";
import { offers } from "../schema/offers";
import { subscriptionRuns } from "../schema/subscriptions";
import { type Bucket, floorTo, spans } from "./buckets";
import { recurringChangesIn, type Scope } from "./sums";

/**
 * The monthly recurring revenue at the end of each of consecutive buckets, or now if that is earlier, in minor units;
 * null where no offer ever recurred.
 */
export async function recurringIn(ctx: Ctx, scope: Scope, buckets: Bucket[]): Promise<number[] | null> {
  const [first] = buckets;
  if (!first || !(await recurs(ctx))) return null;
  const now = ctx.now().getTime();
  const [before = 0, ...changes] = await recurringChangesIn(ctx, scope, [
    { from: 0, until: first.from },
    ...buckets,
  ]);
  const current = buckets.some(({ until }) => until > now) ? await yearlyAt(ctx, scope, now) : 0;
  let yearly = before;
  return buckets.map(({ until }, index) => {
    yearly += changes[index] ?? 0;
    return monthly(until > now ? current : yearly);
  });
}

/** The same at one moment, or now if that is earlier. */
export async function recurringAt(ctx: Ctx, scope: Scope, at: number): Promise<number | null> {
  if (!(await recurs(ctx))) return null;
  return monthly(await yearlyAt(ctx, scope, Math.min(at, ctx.now().getTime())));
}

const monthly = (yearly: number) => Math.round(yearly / 12);

async function recurs({ store: { db } }: Ctx): Promise<boolean> {
  const found = await db
    .select({ one: sql`1` })
    .from(offers)
    .where(isNotNull(offers.every))
    .limit(1);
  return found.length > 0;
}

/** The quarter-hour that has begun is summed up from the runs themselves. */
async function yearlyAt(ctx: Ctx, scope: Scope, moment: number): Promise<number> {
  const quarter = floorTo(spans.quarter, moment);
  const [change = 0] = await recurringChangesIn(ctx, scope, [{ from: 0, until: quarter }]);
  const within = async (column: "from" | "until") => {
    const offerNames = scope.about.map((one) => one.slice("offer:".length));
    const [found] = await ctx.store.db
      .select({ yearly: sum(subscriptionRuns.yearly).mapWith(Number) })
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
    return found?.yearly ?? 0;
  };
  return change + (await within("from")) - (await within("until"));
}
