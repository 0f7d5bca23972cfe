import { expect, test } from "bun:test";
import { settleSubject } from "@/domain/payments/settlement/settle";
import {
  openSubscriptionShop,
  pass,
  renewalsHeld,
  seenBy,
  settleAll,
  stripeOf,
  subscriber,
} from "../../stories/subscriptions/subscriber";

test("a subscription with more invoices than Stripe lists at once is known with all of them, each once", async () => {
  await using stage = await openSubscriptionShop();
  const { ada, subscription } = await subscriber(stage);
  // nine years in which nothing was told, as after a lost database
  stage.stripe.setWebhookUrl(null);
  await pass(stage, 3_255);
  const look = () => settleSubject(stage.ctx, stage.shop.checkout, { subscription });
  await look();
  const held = await renewalsHeld(stage);
  const listed = stripeOf(stage).invoices.list({ subscription, limit: 100 });
  const invoices = await listed.autoPagingToArray({ limit: 1_000 });
  const paid = invoices.filter(({ status }) => status === "paid");
  expect(paid.length).toBeGreaterThan(105);
  const renewals = paid.filter(({ billing_reason: reason }) => reason !== "subscription_create");
  expect(held.toSorted()).toEqual(renewals.map(({ id }) => id).toSorted());
  expect(await seenBy(ada)).toMatchObject({ status: "active", licence: { active: true } });
  await look();
  expect(await renewalsHeld(stage)).toEqual(held);
});

test("an invoice with more lines than Stripe shows at once still pays until the end of its period", async () => {
  await using stage = await openSubscriptionShop();
  const { ada, subscription } = await subscriber(stage);
  const stripe = stripeOf(stage);
  const { items } = await stripe.subscriptions.retrieve(subscription);
  const item = items.data[0]?.id ?? "";
  const priceOf = (amount: number) =>
    stripe.prices.create({
      currency: "usd",
      unit_amount: amount,
      recurring: { interval: "month" },
      product_data: { name: "A month" },
      metadata: { offer: "month" },
    });
  const prices = [await priceOf(400), await priceOf(500)];
  for (let time = 0; time < 6; time += 1) {
    const price = prices[time % 2]?.id ?? "";
    await stripe.subscriptions.update(subscription, {
      items: [{ id: item, price }],
      proration_behavior: "create_prorations",
    });
    await pass(stage, 1);
  }
  await pass(stage, 26);
  await settleAll(stage);
  const [renewal = ""] = await renewalsHeld(stage);
  expect((await stripe.invoices.retrieve(renewal)).lines).toMatchObject({ has_more: true });
  expect(await seenBy(ada)).toMatchObject({ status: "active", licence: { active: true } });
  const { items: now } = await stripe.subscriptions.retrieve(subscription);
  const { rows } = await stage.ctx.store.client.execute({
    sql: "SELECT period_ends_at FROM payments WHERE session_id = ?",
    args: [renewal],
  });
  expect(rows[0]?.["period_ends_at"]).toBe((now.data[0]?.current_period_end ?? 0) * 1_000);
});
