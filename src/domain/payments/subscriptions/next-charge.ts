import { eq } from "drizzle-orm";
import type { NextCharge } from "@/contract/next-charge";
import type { Ctx } from "@/core/context";
import type { Payment } from "../../schema/payments";
import { type Subscription, subscriptions } from "../../schema/subscriptions";

export type ChargedNext = NextCharge & { at: Date };

/** The subscription that a payment began or renewed; null for another payment, and until it is settled. */
export async function subscriptionOf(
  { store }: Ctx,
  { subscription: stripeId }: Pick<Payment, "subscription">,
): Promise<Subscription | null> {
  if (stripeId === null) return null;
  const [held] = await store.db.select().from(subscriptions).where(eq(subscriptions.stripeId, stripeId));
  return held ?? null;
}

/** What a subscription charges next; null if nothing is due, or Stripe didn't say how much. */
export function chargedNext(held: Subscription | null): ChargedNext | null {
  if (held === null || (held.status !== "trialing" && held.status !== "active")) return null;
  const { renewsAt: at, nextAmount: amount, currency, every, status } = held;
  if (at === null || amount === null) return null;
  return { at, amount, currency, every, trial: status === "trialing" };
}
