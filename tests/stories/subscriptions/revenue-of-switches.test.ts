import { expect, test } from "bun:test";
import { operator } from "@/core/base/actor";
import { figures } from "@/domain/figures/figures";
import { addOffer } from "@/domain/offers/change";
import type { Stage } from "../../support/shop/stage";
import { by, dayOf, openSubscriptionShop, settleAll, stripeOf, subscriber, switchOnPage } from "./subscriber";

const year = { id: "year", name: "A year", amount: 3_000, days: null, every: "year" } as const;

async function mrr(stage: Stage) {
  const today = { from: dayOf(stage, 0), to: dayOf(stage, 0) };
  return (await figures(stage.ctx, operator, today)).totals.mrr;
}

test("a planned change counts in the recurring revenue once it takes effect", async () => {
  await using stage = await openSubscriptionShop();
  await addOffer(stage.ctx, year, by);
  const { ada } = await subscriber(stage);
  await switchOnPage(stage, ada, "year");
  await settleAll(stage);
  expect(await mrr(stage)).toBe(250);
  await switchOnPage(stage, ada, "month");
  await settleAll(stage);
  expect(await mrr(stage)).toBe(250);
});

test("a lasting code also counts for what was cancelled before the shop checked", async () => {
  await using stage = await openSubscriptionShop();
  const stripe = stripeOf(stage);
  const { id: coupon } = await stripe.coupons.create({ percent_off: 50, duration: "forever" });
  await stripe.promotionCodes.create({ code: "HALF", promotion: { type: "coupon", coupon } });
  const opened = await stage
    .person()
    .post("/api/stripe/create-checkout-session", { currency: "usd", offer: "month", code: "HALF" });
  stage.stripe.setWebhookUrl(null);
  await stage.atStripe("pay", { session: opened.body.data.id, email: "ada@example.com" });
  const { subscription } = await stage.atStripe(`ledger/${opened.body.data.id}`, undefined as never);
  await stripe.subscriptions.update(subscription, { cancel_at_period_end: true });
  stage.stripe.setWebhookUrl(stage.webhookUrl());
  await settleAll(stage);
  expect(await mrr(stage)).toBe(150);
});

test("a subscription that was switched and cancelled between two checks counts at its new price", async () => {
  await using stage = await openSubscriptionShop();
  await addOffer(stage.ctx, year, by);
  const { ada, subscription } = await subscriber(stage);
  stage.stripe.setWebhookUrl(null);
  await switchOnPage(stage, ada, "year");
  await stripeOf(stage).subscriptions.update(subscription, { cancel_at_period_end: true });
  stage.stripe.setWebhookUrl(stage.webhookUrl());
  await settleAll(stage);
  expect(await mrr(stage)).toBe(250);
});
