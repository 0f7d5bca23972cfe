import { expect, test } from "bun:test";
import Stripe from "stripe";
import { changeDevices } from "@/domain/licences/devices";
import { licenceOfKey } from "@/domain/licences/find";
import { addOffer } from "@/domain/offers/change";
import type { Stage } from "../../support/shop/stage";
import { by, openSubscriptionShop, pass, paymentsOf, seenBy, settleAll, subscriber } from "./subscriber";

const team = { id: "team", name: "A team", amount: 900, days: null, every: "month", devices: 5 } as const;

/** As Stripe's portal does it for what is dearer: at once, with the difference invoiced. */
async function switchTo(stage: Stage, subscription: string, { id, amount }: { id: string; amount: number }) {
  const { port } = new URL(stage.stripe.url);
  const stripe = new Stripe(stage.stripe.secretKey, { host: "127.0.0.1", port, protocol: "http" });
  const { items } = await stripe.subscriptions.retrieve(subscription);
  const { id: price } = await stripe.prices.create({
    currency: "usd",
    unit_amount: amount,
    recurring: { interval: "month" },
    product_data: { name: id },
    metadata: { offer: id },
  });
  await stripe.subscriptions.update(subscription, {
    items: [{ id: items.data[0]?.id ?? "", price }],
    proration_behavior: "always_invoice",
  });
  await settleAll(stage);
}

async function placesOf(stage: Stage, key: string) {
  return (await licenceOfKey(stage.ctx, key))?.devices;
}

test("a switch to a dearer offer is invoiced at once, keeps key and end, and brings its places", async () => {
  await using stage = await openSubscriptionShop();
  await addOffer(stage.ctx, team, by);
  const { ada, subscription } = await subscriber(stage);
  const before = await seenBy(ada);
  await pass(stage, 10);
  await switchTo(stage, subscription, team);
  const after = await seenBy(ada);
  expect(after).toMatchObject({ offer: "team", status: "active", graceDays: 3, amount: 900 });
  expect(after).toMatchObject({ license_key: before.license_key, renews_at: before.renews_at });
  expect(await placesOf(stage, before.license_key)).toBe(5);
  const [difference, first] = await paymentsOf(ada);
  expect(first.bill.paid).toBe(300);
  expect(difference.bill.paid).toBeGreaterThan(0);
  expect(difference.bill.paid).toBeLessThan(600);
  await pass(stage, 25);
  await seenBy(ada);
  expect((await paymentsOf(ada))[0].bill).toMatchObject({ asked: 900, paid: 900 });
  await switchTo(stage, subscription, { id: "month", amount: 300 });
  expect(await placesOf(stage, before.license_key)).toBe(1);
});

test("places that staff gave stay, if they are more than the new offer's", async () => {
  await using stage = await openSubscriptionShop();
  await addOffer(stage.ctx, team, by);
  const { ada, subscription } = await subscriber(stage);
  const { license_key: key } = await seenBy(ada);
  const licence = await licenceOfKey(stage.ctx, key);
  await changeDevices(stage.ctx, { id: licence?.id ?? "" }, 8, by);
  await switchTo(stage, subscription, team);
  expect(await placesOf(stage, key)).toBe(8);
  expect(await seenBy(ada)).toMatchObject({ offer: "team" });
});
