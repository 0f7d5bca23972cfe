import { and, eq, gt, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import { day } from "@/contract/time";
import type { Write } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { enqueueEach } from "@/core/outbox";
import { shopTopics } from "@/core/outbox-topics";
import { licences } from "../schema/licences";
import { payments } from "../schema/payments";
import { subscriptions } from "../schema/subscriptions";

/** The write that has Stripe end the subscription of a licence at once; nothing if it has none. */
export const endSubscriptionOf = (ctx: Ctx, licenceId: string): Write =>
  enqueueEach(ctx, shopTopics.endSubscription, {
    subject: subscriptions.stripeId,
    from: subscriptions,
    where: and(
      inArray(
        subscriptions.id,
        ctx.store.db
          .select({ id: sql<string>`coalesce(${licences.paymentId}, '')` })
          .from(licences)
          .where(eq(licences.id, licenceId)),
      ),
      isNull(subscriptions.endedAt),
    ),
    payload: { when: "now" },
  });

/**
 * The writes that have Stripe end an account's subscriptions when what is paid runs out, and expire its open checkouts of
 * subscriptions, because the account now holds a lifetime. A subscription that was cancelled already is left alone. One
 * that was bought without an account counts for the account that redeemed its key.
 */
export function endRenewalsOf(ctx: Ctx, accountId: string): Write[] {
  const renews = and(
    isNull(subscriptions.endedAt),
    inArray(subscriptions.status, ["trialing", "active", "past_due", "paused"]),
  );
  const isHeld = inArray(
    subscriptions.id,
    ctx.store.db
      .select({ id: sql<string>`${licences.paymentId}` })
      .from(licences)
      .where(
        and(
          eq(licences.accountId, accountId),
          sql`${licences.paidUntil} IS NOT NULL`,
          sql`${licences.paymentId} IS NOT NULL`,
        ),
      ),
  );
  // the plus keeps SQLite off the index of accounts, which holds every guest's
  const guests = and(sql`+${subscriptions.accountId} IS NULL`, isHeld);
  const ends = [eq(subscriptions.accountId, accountId), guests].map((whose) =>
    enqueueEach(ctx, shopTopics.endSubscription, {
      subject: subscriptions.stripeId,
      from: subscriptions,
      where: and(whose, renews),
      payload: { when: "period_end" },
    }),
  );
  return [
    ...ends,
    enqueueEach(ctx, shopTopics.expireCheckouts, {
      subject: payments.accountId,
      from: payments,
      where: and(
        eq(payments.accountId, accountId),
        eq(payments.state, "open"),
        // a buyer can pay a checkout for a day
        gt(payments.createdAt, new Date(ctx.now().getTime() - day)),
        isNotNull(payments.every),
      ),
    }),
  ];
}
