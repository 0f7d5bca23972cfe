import type { NextCharge } from "@/contract/next-charge";
import type { Subscription } from "../../schema/subscriptions";

export type ChargedNext = NextCharge & { at: Date };

/** What a subscription charges next; null if nothing is due, or Stripe didn't say how much. */
export function chargedNext(held: Subscription | null): ChargedNext | null {
  if (held === null || (held.status !== "trialing" && held.status !== "active")) return null;
  const { renewsAt: at, nextAmount: amount, currency, every, status } = held;
  if (at === null || amount === null) return null;
  return { at, amount, currency, every, trial: status === "trialing", reduced: amount < held.amount };
}
