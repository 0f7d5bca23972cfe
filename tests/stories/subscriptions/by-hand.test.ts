import { expect, test } from "bun:test";
import { addOffer } from "@/domain/offers/change";
import { day } from "@/contract/vocabulary/time";
import type { Stage } from "../../support/shop/stage";
import {
  buy,
  by,
  customer,
  idOf,
  openSubscriptionShop,
  pass,
  seenBy,
  settleAll,
  stripeOf,
} from "./subscriber";

const year = { id: "year", name: "A year", amount: 3_000, days: null, every: "year" } as const;

/** A customer who paid for a year, and Stripe's id of the subscription. */
async function yearly(stage: Stage) {
  await addOffer(stage.ctx, year, by);
  const ada = await customer(stage);
  const session = await buy(stage, ada, { offer: "year" });
  const held = await stripeOf(stage).checkout.sessions.retrieve(session);
  return { ada, subscription: idOf(held.subscription) };
}

// the portal has such a switch wait for the year's end; Stripe's dashboard asks staff how to bill it
test.each([["none"], ["create_prorations"], ["always_invoice"]] as const)(
  "a year that staff make a month at Stripe, billed as %s, renews monthly, and the year that was paid stays",
  async (proration_behavior) => {
    await using stage = await openSubscriptionShop();
    const { ada, subscription } = await yearly(stage);
    const { licence: before } = await seenBy(ada);
    await pass(stage, 10);
    const stripe = stripeOf(stage);
    const { items } = await stripe.subscriptions.retrieve(subscription);
    const { id: price } = await stripe.prices.create({
      currency: "usd",
      unit_amount: 300,
      recurring: { interval: "month" },
      product_data: { name: "A month" },
      metadata: { offer: "month" },
    });
    const item = { id: items.data[0]?.id ?? "", price };
    await stripe.subscriptions.update(subscription, { items: [item], proration_behavior });
    await settleAll(stage);
    const monthly = await seenBy(ada);
    expect(monthly).toMatchObject({ offer: "month", interval: "month", status: "active" });
    expect(Date.parse(monthly.renews_at) - stage.ctx.now().getTime()).toBeLessThan(32 * day);
    const { rows } = await stage.ctx.store.client.execute(
      "SELECT (period_ends_at - paid_at) / 86400000 AS days FROM payments WHERE session_id LIKE 'in_%'",
    );
    for (const { days } of rows) expect(Number(days)).toBeLessThan(32);
    // months that are paid within the year end before it does
    await pass(stage, 100);
    expect((await seenBy(ada)).licence).toMatchObject({ expiry_date: before.expiry_date, active: true });
    await stage.shop.checkout.cancelSubscription(subscription, "now");
    await settleAll(stage);
    const ended = await seenBy(ada);
    expect(ended).toMatchObject({ status: "ended", licence: { active: true } });
    // without the grace in which a renewal was due
    expect(Date.parse(before.expiry_date) - Date.parse(ended.licence.expiry_date)).toBe(3 * day);
  },
);
