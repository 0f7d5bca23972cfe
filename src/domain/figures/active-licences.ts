import { and, eq, gte, isNull, lte, or, sql } from "drizzle-orm";
import type { Ctx } from "@/core/database/context";
import { licences } from "../schema/licences";
import { type Bucket, floorTo, spans } from "./buckets";
import { type About, licenceChangesIn } from "./sums";

/** How many licences are active at the end of each of consecutive buckets, or now if that is earlier. */
export async function activeLicences(ctx: Ctx, about: About, buckets: Bucket[]): Promise<number[]> {
  const now = ctx.now().getTime();
  const [first] = buckets;
  if (!first) return [];
  const [before = 0, ...changes] = await licenceChangesIn(ctx, about, [
    { from: 0, until: first.from },
    ...buckets,
  ]);
  const current = buckets.some(({ until }) => until > now) ? await activeAt(ctx, about, now) : 0;
  let active = before;
  return buckets.map(({ until }, index) => {
    active += changes[index] ?? 0;
    return until > now ? current : active;
  });
}

/** Doesn't use the index of offers, in which an offer may have any number of licences. */
const isGivenUnder = (offers: string[]) => sql`+${licences.offer} IN ${offers}`;

/** How many licences are active at a moment, or now if that is earlier. */
export async function activeAt(ctx: Ctx, about: About, at: number): Promise<number> {
  const moment = Math.min(at, ctx.now().getTime());
  const quarter = floorTo(spans.quarter, moment);
  const [change = 0] = await licenceChangesIn(ctx, about, [{ from: 0, until: quarter }]);
  if (quarter === moment) return change;
  return change + (await countIn("activeFrom")) - (await countIn("activeUntil"));

  /** The quarter-hour that has begun is counted from the licences themselves. */
  async function countIn(column: "activeFrom" | "activeUntil"): Promise<number> {
    const offers = about.map((one) => one.slice("offer:".length));
    return ctx.store.db.$count(
      licences,
      and(
        gte(licences[column], new Date(quarter)),
        lte(licences[column], new Date(moment)),
        or(isNull(licences.livemode), eq(licences.livemode, ctx.livemode)),
        about.includes("") ? undefined : isGivenUnder(offers),
      ),
    );
  }
}
