import { eq } from "drizzle-orm";
import type { z } from "zod";
import type { subscriptionResource as shape } from "@/contract/webhooks";
import type { Ctx } from "@/core/context";
import { accounts } from "../schema/accounts";
import { licences } from "../schema/licences";
import { payments } from "../schema/payments";
import { subscriptions } from "../schema/subscriptions";

/** A subscription in webhooks. */
export type SubscriptionResource = z.infer<typeof shape>;

/** One subscription by its id; null for an unknown one, or one that was bought in the other Stripe mode. */
export async function subscriptionResource(ctx: Ctx, id: string): Promise<SubscriptionResource | null> {
  const [row] = await ctx.store.db
    .select({
      subscription: subscriptions,
      licence: licences.id,
      buyer: payments.email,
      owner: accounts.email,
    })
    .from(subscriptions)
    .innerJoin(payments, eq(payments.id, subscriptions.id))
    .leftJoin(licences, eq(licences.primaryPaymentId, subscriptions.id))
    .leftJoin(accounts, eq(accounts.id, subscriptions.accountId))
    .where(eq(subscriptions.id, id));
  if (!row || row.subscription.livemode !== ctx.livemode) return null;
  const { status, accountId, renewsAt, endsAt } = row.subscription;
  return {
    subscription: id,
    license: row.licence,
    account: accountId,
    email: row.buyer ?? row.owner,
    state: status,
    renews_at: renewsAt?.toISOString() ?? null,
    ends_at: endsAt?.toISOString() ?? null,
  };
}

/** The subscription that a payment renewed; null of every other payment, and of a switch. */
export async function subscriptionRenewedBy(ctx: Ctx, paymentId: string): Promise<string | null> {
  const [row] = await ctx.store.db
    .select({ id: subscriptions.id, isSwitch: payments.isSwitch })
    .from(payments)
    .innerJoin(subscriptions, eq(subscriptions.stripeId, payments.subscription))
    .where(eq(payments.id, paymentId));
  return row && !row.isSwitch && row.id !== paymentId ? row.id : null;
}

/** Whether a payment is one of a subscription's. */
export async function paysSubscription({ store }: Ctx, paymentId: string): Promise<boolean> {
  const [row] = await store.db
    .select({ subscription: payments.subscription })
    .from(payments)
    .where(eq(payments.id, paymentId));
  return row !== undefined && row.subscription !== null;
}
