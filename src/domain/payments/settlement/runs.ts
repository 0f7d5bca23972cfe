import { and, desc, eq } from "drizzle-orm";
import type { Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { type Subscription, type SubscriptionRun, subscriptionRuns } from "../../schema/subscriptions";

/** What counts of a subscription from now on, and until when, if that is known. */
type Worth = Pick<SubscriptionRun, "offer" | "currency" | "yearly" | "until">;

/**
 * The writes that bring a subscription's runs to what it is now. Trials, pauses and second ones are worth nothing; one that is past
 * due counts until its grace ends.
 */
export async function runWrites(
  ctx: Ctx,
  subscription: Subscription,
  { entitledUntil, isWorthless, hadTrial }: { entitledUntil: Date; isWorthless: boolean; hadTrial: boolean },
): Promise<Write[]> {
  const { db } = ctx.store;
  const [last] = await db
    .select()
    .from(subscriptionRuns)
    .where(eq(subscriptionRuns.subscriptionId, subscription.id))
    .orderBy(desc(subscriptionRuns.from))
    .limit(1);
  const now = ctx.now();
  const until = isWorthless ? subscription.startedAt : endOf(subscription, entitledUntil);
  const isRunning = last !== undefined && (last.until === null || last.until > now);
  if (until !== null && until <= now) return isRunning ? [end(ctx, last, until)] : [];
  const { offer, currency, every, netAmount } = subscription;
  const worth: Worth = { offer, currency, yearly: every === "year" ? netAmount : 12 * netAmount, until };
  if (isRunning && isSame(last, worth)) {
    return last.until?.getTime() === worth.until?.getTime() ? [] : [end(ctx, last, worth.until)];
  }
  // without a trial, the first run began with the subscription
  const from = last || hadTrial ? now : earlier(subscription.startedAt, now);
  return [
    ...(isRunning ? [end(ctx, last, now)] : []),
    db
      .insert(subscriptionRuns)
      .values({ ...worth, subscriptionId: subscription.id, livemode: subscription.livemode, from })
      .onConflictDoUpdate({
        target: [subscriptionRuns.subscriptionId, subscriptionRuns.from],
        set: worth,
      }),
  ];
}

/** Until when it is worth its price, as far as that is known; the past if it is worth nothing. */
function endOf({ status, endsAt, endedAt, lookedAt }: Subscription, entitledUntil: Date): Date | null {
  if (status === "active") return null;
  if (status === "ending") return endsAt;
  return status === "past_due" ? entitledUntil : earlier(endedAt, lookedAt);
}

const isSame = (run: SubscriptionRun, worth: Worth) =>
  run.offer === worth.offer && run.currency === worth.currency && run.yearly === worth.yearly;

const earlier = (one: Date | null, other: Date) => (one && one < other ? one : other);

const end = ({ store: { db } }: Ctx, { subscriptionId, from }: SubscriptionRun, until: Date | null): Write =>
  db
    .update(subscriptionRuns)
    .set({ until })
    .where(and(eq(subscriptionRuns.subscriptionId, subscriptionId), eq(subscriptionRuns.from, from)));
