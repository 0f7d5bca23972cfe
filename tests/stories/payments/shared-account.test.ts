import { expect, test } from "bun:test";
import type Stripe from "stripe";
import { reconcilePayments } from "@/domain/payments/reconcile/reconcile-payments";
import { openStage, type StageOptions } from "../../support/shop/stage";
import { settleAll, stripeOf } from "../subscriptions/subscriber";

const key = "rk_test_of_the_shop";
/** What only a shop that sells subscriptions needs. */
const lacks = [
  "customer_read",
  "customer_write",
  "subscription_read",
  "subscription_write",
  "payment_method_read",
  "invoice_write",
  "plan_write",
];

async function subscribedElsewhere(stripe: Stripe): Promise<string> {
  const { id: price } = await stripe.prices.create({
    currency: "usd",
    unit_amount: 900,
    recurring: { interval: "month" },
    product_data: { name: "Another product" },
  });
  const { id } = await stripe.checkout.sessions.create({
    mode: "subscription",
    line_items: [{ price, quantity: 1 }],
    success_url: "https://example.com/",
  });
  return id;
}

test.each<NonNullable<StageOptions["events"]>>(["watched", "all"])(
  "what another product sells on the same account asks for no permission that this shop doesn't need: %s events",
  async (events) => {
    await using stage = await openStage({ events });
    await stage.atStripe("keys", { key, lacks });
    await stage.restart({ stripeKey: key });
    const session = await subscribedElsewhere(stripeOf(stage));
    await stage.atStripe("pay", { session, email: "x@example.com" });
    await settleAll(stage);
    expect(await stage.count("outbox WHERE topic = 'payment.settle'")).toBe(0);
    await stage.atStripe("refund", { session });
    await settleAll(stage);
    expect(await reconcilePayments(stage.ctx, stage.shop.checkout, { lists: "now" })).toMatchObject({
      finished: true,
      failed: 0,
    });
    expect(await stage.count("outbox WHERE topic = 'payment.settle'")).toBe(0);
    expect(await stage.count("payments")).toBe(0);
  },
);
