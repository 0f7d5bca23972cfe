import { desc, eq, or } from "drizzle-orm";
import type { Actor } from "@/core/base/actor";
import { type Ctx, typedId } from "@/core/database/context";
import { olderThan, type Place } from "@/core/database/pages";
import { Refusal } from "@/core/base/refusal";
import { keyOf } from "../../licences/keys/issue";
import { maskKey } from "../../licences/keys/keys";
import { authorize } from "../../permissions";
import { accounts } from "../../schema/accounts";
import { licences } from "../../schema/licences";
import { type Payment, payments } from "../../schema/payments";
import { type Subscription, subscriptions } from "../../schema/subscriptions";

/** A subscription by our own id or Stripe's. Refuses with `not_found`. */
export async function subscriptionNamed({ store }: Ctx, typed: string): Promise<Subscription> {
  const name = typedId(typed);
  const [found] = await store.db
    .select()
    .from(subscriptions)
    .where(or(eq(subscriptions.id, name), eq(subscriptions.stripeId, name)));
  if (!found) throw new Refusal("not_found", { sentence: "There is no such subscription." });
  return found;
}

export type ListedSubscription = { subscription: Subscription; username: string | null };

/** A page of all subscriptions, newest first. */
export async function subscriptionsForStaff(
  ctx: Ctx,
  actor: Actor,
  { after, most }: { after: Place | null; most: number },
): Promise<ListedSubscription[]> {
  authorize(actor, "subscription.read");
  return ctx.store.db
    .select({ subscription: subscriptions, username: accounts.username })
    .from(subscriptions)
    .leftJoin(accounts, eq(accounts.id, subscriptions.accountId))
    .where(olderThan(after, subscriptions.startedAt, subscriptions.id))
    .orderBy(desc(subscriptions.startedAt), desc(subscriptions.id))
    .limit(most);
}

/** More payments than this are left to the list of payments. */
const mostPayments = 100;

export type SubscriptionForStaff = ListedSubscription & {
  email: string | null;
  /** Masked. */
  key: string | null;
  /** The newest first. */
  payments: Payment[];
};

/** What staff see of a subscription. Refuses with `not_found`. */
export async function subscriptionForStaff(
  ctx: Ctx,
  actor: Actor,
  typed: string,
): Promise<SubscriptionForStaff> {
  authorize(actor, "subscription.read");
  const subscription = await subscriptionNamed(ctx, typed);
  const { db } = ctx.store;
  const [[account], [licence], paid] = await db.batch([
    db
      .select()
      .from(accounts)
      .where(eq(accounts.id, subscription.accountId ?? "")),
    db.select().from(licences).where(eq(licences.primaryPaymentId, subscription.id)),
    db
      .select()
      .from(payments)
      .where(eq(payments.subscription, subscription.stripeId))
      .orderBy(desc(payments.periodEndsAt))
      .limit(mostPayments),
  ]);
  return {
    subscription,
    username: account?.username ?? null,
    email: paid.find(({ email }) => email !== null)?.email ?? null,
    key: licence ? maskKey(keyOf(ctx, licence)) : null,
    payments: paid,
  };
}
