import { and, eq, gt, inArray, isNotNull, isNull, ne, or, type SQL, sql } from "drizzle-orm";
import { day } from "@/contract/vocabulary/time";
import type { Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { enqueueEach } from "@/core/jobs/outbox";
import { shopTopics } from "../../outbox-topics";
import { licences } from "../../schema/licences";
import { payments } from "../../schema/payments";
import { subscriptions } from "../../schema/subscriptions";

/** A subscription is still checked this long after its end, since money may have to be given back. */
const checkedAfterEnd = 35 * day;

const check = (ctx: Ctx, where: SQL | undefined): Write =>
  enqueueEach(ctx, shopTopics.agreeWithStripe, {
    subject: subscriptions.stripeId,
    from: subscriptions,
    where: and(
      where,
      or(
        isNull(subscriptions.endedAt),
        gt(subscriptions.endedAt, new Date(ctx.now().getTime() - checkedAfterEnd)),
      ),
      eq(subscriptions.livemode, ctx.livemode),
    ),
  });

/** Enqueues a check of a licence's subscription, which may have to end with it. */
export const checkSubscriptionOf = (ctx: Ctx, licenceId: string): Write =>
  check(
    ctx,
    inArray(
      subscriptions.id,
      ctx.store.db
        .select({ id: sql<string>`coalesce(${licences.paymentId}, '')` })
        .from(licences)
        .where(eq(licences.id, licenceId)),
    ),
  );

/** Enqueues checks of an account's subscriptions but one, and of those that wait for their first payment. */
export const checkSubscriptionsOfAccount = (ctx: Ctx, accountId: string, butFor = ""): Write[] => [
  check(ctx, and(eq(subscriptions.accountId, accountId), ne(subscriptions.id, butFor))),
  enqueueEach(ctx, shopTopics.agreeWithStripe, {
    subject: payments.subscription,
    from: payments,
    where: and(
      eq(payments.accountId, accountId),
      eq(payments.livemode, ctx.livemode),
      inArray(payments.state, ["processing", "failed"]),
      gt(payments.createdAt, new Date(ctx.now().getTime() - checkedAfterEnd)),
      isNotNull(payments.subscription),
      isNull(payments.soldAt),
    ),
  }),
];

/**
 * For an account that now holds a lifetime: enqueues checks of all its subscriptions, also of those whose keys it redeemed,
 * and expires its open checkouts of subscriptions.
 */
export function lifetimeGainedWrites(ctx: Ctx, accountId: string): Write[] {
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
  return [
    ...checkSubscriptionsOfAccount(ctx, accountId),
    // the plus keeps SQLite off the index of accounts, which holds every guest's
    check(
      ctx,
      and(
        or(sql`+${subscriptions.accountId} IS NULL`, sql`+${subscriptions.accountId} <> ${accountId}`),
        isHeld,
      ),
    ),
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
