import type { NextCharge } from "@/contract/vocabulary/next-charge";
import type { Ctx } from "@/core/database/context";
import { plusTax, type Subscription } from "../../schema/subscriptions";
import type { CheckoutGateway } from "../port/stripe";
import { optionalAnswer } from "../port/optional-answer";
import type { SubscriptionFacts } from "../port/subscription-gateway";

export type ChargedNext = NextCharge & { at: Date };

/** What a subscription charges next; null if nothing is due, or Stripe didn't say how much. */
export function chargedNext(held: Subscription | null): ChargedNext | null {
  if (held === null || (held.status !== "trialing" && held.status !== "active")) return null;
  const { renewsAt: at, nextAmount: amount, currency, every, status } = held;
  if (at === null || amount === null) return null;
  return {
    at,
    amount,
    currency,
    every,
    trial: status === "trialing",
    reduced: amount < held.amount,
    ...plusTax(held),
  };
}

/** What Stripe says of the next charge; else the price after the codes that last, which lacks something. */
export type NextAmount = { amount: number; lacks: Subscription["nextLacks"] };

export async function nextAmountOf(
  ctx: Ctx,
  gateway: CheckoutGateway,
  { id, amount, netAmount, nextDiscounts, isTaxed }: SubscriptionFacts,
): Promise<NextAmount> {
  const preview = previews.get(gateway) ?? optionalAnswer<number>(ctx, { without, fresh: true });
  previews.set(gateway, preview);
  const said = await preview(id, () => gateway.previewNext({ id, nextDiscounts }));
  return said === null
    ? { amount: netAmount ?? amount, lacks: isTaxed ? "tax" : "credits" }
    : { amount: said, lacks: null };
}

const without = "the next charge of a subscription is estimated";
const previews = new WeakMap<CheckoutGateway, ReturnType<typeof optionalAnswer<number>>>();
