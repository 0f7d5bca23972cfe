import { expect, test } from "bun:test";
import type Stripe from "stripe";
import { idOf, objectOf, prices, refusal, startBilling } from "../../support/stripe/billing";

test("a price is found by its lookup key, which another price can take over", async () => {
  await using billing = await startBilling();
  const { stripe } = billing;
  const { month } = await prices(stripe);
  const other = {
    currency: "usd",
    unit_amount: 700,
    recurring: { interval: "month" },
    lookup_key: "month",
    product: idOf(month.product),
  } as const;
  expect((await refusal(stripe.prices.create(other))).message).toContain("already uses that lookup key");
  const dearer = await stripe.prices.create({ ...other, transfer_lookup_key: true });
  const found = await stripe.prices.list({ lookup_keys: ["month"], active: true, expand: ["data.product"] });
  expect(found.data).toMatchObject([{ id: dearer.id, unit_amount: 700, type: "recurring", active: true }]);
  expect(objectOf(found.data[0]?.product as { id: string; name: string }).name).toBe("A thing");
});

test("an inactive price can't be bought", async () => {
  await using billing = await startBilling();
  const { stripe } = billing;
  const { month } = await prices(stripe);
  await stripe.prices.update(month.id, { active: false });
  expect((await stripe.prices.list({ active: true })).data).toHaveLength(1);
  const order = { mode: "subscription" as const, line_items: [{ price: month.id, quantity: 1 }] };
  const begun = stripe.checkout.sessions.create({ ...order, success_url: "http://shop.test/" });
  expect((await refusal(begun)).message).toContain("only accepts active prices");
});

test("a price with an unknown currency or a length other than one interval is refused", async () => {
  await using billing = await startBilling();
  const { stripe } = billing;
  const create = (currency: string, recurring: Stripe.PriceCreateParams.Recurring) =>
    refusal(
      stripe.prices.create({ currency, unit_amount: 500, recurring, product_data: { name: "A thing" } }),
    );
  expect((await create("dollars", { interval: "month" })).message).toContain("Invalid currency: dollars");
  expect((await create("usd", { interval: "month", interval_count: 0 })).message).toContain("interval_count");
  expect((await create("usd", { interval: "month", interval_count: 3 })).message).toContain("interval_count");
  const once = { currency: "dollars", unit_amount: 500, product_data: { name: "A thing" } };
  const session = stripe.checkout.sessions.create({
    mode: "payment",
    success_url: "http://shop.test/",
    line_items: [{ price_data: once, quantity: 1 }],
  });
  expect((await refusal(session)).message).toContain("Invalid currency: dollars");
});
