import { and, desc, eq, getTableColumns, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import type { Ctx } from "@/core/database/context";
import { olderThan, type Place } from "@/core/database/pages";
import { boughtBy, boughtItself, orderedBy } from "../../licences/entitlement/buyer";
import { keyOf } from "../../licences/keys/issue";
import { licences } from "../../schema/licences";
import { type Payment, payments } from "../../schema/payments";
import { type Subscription, subscriptions } from "../../schema/subscriptions";

/** A subscription with its key, which only the owner of its licence sees. */
export type OwnSubscription = Subscription & { key: string | null };

/** A page of the subscriptions that an account bought in the shop's Stripe mode, newest first. */
export async function subscriptionsOf(
  ctx: Ctx,
  accountId: string,
  { after, most }: { after: Place | null; most: number },
): Promise<OwnSubscription[]> {
  const rows = await ctx.store.db
    .select({ ...getTableColumns(subscriptions), licence: licences })
    .from(subscriptions)
    .leftJoin(licences, eq(licences.primaryPaymentId, subscriptions.id))
    .where(
      and(
        boughtBy(ctx.store.db, accountId),
        eq(subscriptions.livemode, ctx.livemode),
        olderThan(after, subscriptions.startedAt, subscriptions.id),
      ),
    )
    .orderBy(desc(subscriptions.startedAt), desc(subscriptions.id))
    .limit(most);
  return rows.map(({ licence, ...row }) => ({
    ...row,
    key:
      licence && (licence.accountId === accountId || licence.redeemedAt === null)
        ? keyOf(ctx, licence)
        : null,
  }));
}

/** The subscription that a payment began or renewed; null for another payment, and until it is settled. */
export async function subscriptionOf(
  { store }: Ctx,
  { subscription: stripeId }: Pick<Payment, "subscription">,
): Promise<Subscription | null> {
  if (stripeId === null) return null;
  const [held] = await store.db.select().from(subscriptions).where(eq(subscriptions.stripeId, stripeId));
  return held ?? null;
}

/** The order that an operation on a payment means: a renewal owns no licence, so it is its subscription's first. */
export async function firstOrderOf(ctx: Ctx, payment: Payment): Promise<Payment> {
  const held = await subscriptionOf(ctx, payment);
  if (held === null || held.id === payment.id) return payment;
  const [first] = await ctx.store.db.select().from(payments).where(eq(payments.id, held.id));
  return first ?? payment;
}

/** The payments of a subscription, by Stripe's id of it; newest period first. */
export const paymentsOfSubscription = ({ store }: Ctx, stripeId: string): Promise<Payment[]> =>
  store.db
    .select()
    .from(payments)
    .where(eq(payments.subscription, stripeId))
    .orderBy(desc(payments.periodEndsAt));

export const paidPaymentsOfSubscription = async (ctx: Ctx, stripeId: string): Promise<Payment[]> =>
  (await paymentsOfSubscription(ctx, stripeId)).filter(({ soldAt }) => soldAt !== null);

/** Our id of a subscription, and whether the viewer's account is its buyer. */
export type PaidSubscription = { id: string; isBuyers: boolean };

/** The subscriptions that payments began or renewed, by Stripe's id. Asks nothing if there are none. */
export async function subscriptionsPaidBy(
  { store: { db } }: Ctx,
  paid: Pick<Payment, "subscription">[],
  accountId: string | null,
): Promise<Map<string, PaidSubscription>> {
  const wanted = [...new Set(paid.flatMap(({ subscription }) => subscription ?? []))];
  if (wanted.length === 0) return new Map();
  const { id, stripeId } = subscriptions;
  const isBuyers = accountId === null ? sql`0` : sql`(${boughtBy(db, accountId)})`;
  const rows = await db
    .select({ id, stripeId, isBuyers: isBuyers.mapWith(Boolean) })
    .from(subscriptions)
    .where(inArray(stripeId, wanted));
  return new Map(rows.map(({ stripeId: key, ...row }) => [key, row]));
}

/** More than anybody has of subscriptions whose first money is on its way. */
const mostPending = 20;

/**
 * A subscription exists from its first checkout on: those whose first money is on its way, without dates or a key, newest
 * first. By default also those that a guest ordered with the account's confirmed address.
 */
export const pendingSubscriptionsOf = (
  { store: { db }, livemode }: Ctx,
  accountId: string,
  which = orderedBy(db, accountId),
): Promise<Payment[]> =>
  db
    .select()
    .from(payments)
    .where(
      and(
        which,
        eq(payments.state, "processing"),
        isNotNull(payments.every),
        isNotNull(payments.seal),
        isNull(payments.soldAt),
        eq(payments.livemode, livemode),
      ),
    )
    .orderBy(desc(payments.createdAt))
    .limit(mostPending);

/** The id of a subscription that an account bought itself in the shop's Stripe mode and that has not ended; null if it has none. */
export async function runningSubscriptionOf(ctx: Ctx, accountId: string): Promise<string | null> {
  const { db } = ctx.store;
  const [row] = await db
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(
      and(
        boughtItself(db, accountId),
        isNull(subscriptions.endedAt),
        eq(subscriptions.livemode, ctx.livemode),
      ),
    )
    .limit(1);
  const [pending] = row
    ? []
    : await pendingSubscriptionsOf(ctx, accountId, eq(payments.accountId, accountId));
  return row?.id ?? pending?.id ?? null;
}

/** Whether a licence is of a subscription that has not ended. */
export async function isBilled(
  { store }: Ctx,
  { paymentId }: Pick<typeof licences.$inferSelect, "paymentId">,
): Promise<boolean> {
  if (paymentId === null) return false;
  const [held] = await store.db.select().from(subscriptions).where(eq(subscriptions.id, paymentId));
  return held?.endedAt === null;
}
