import { expect, test } from "bun:test";
import { addOffer } from "@/domain/offers/change";
import type { Stage } from "../../support/shop/stage";
import { by, idOf, openSubscriptionShop, stripeOf, subscriber, switchOnPage } from "./subscriber";

const pricesOf = async (stage: Stage) => (await stripeOf(stage).prices.list({ limit: 100 })).data;

const begin = async (stage: Stage) =>
  (await stage.person().post("/api/stripe/create-checkout-session", { currency: "usd", offer: "month" }))
    .status;

test("six first checkouts of an offer at once make one price, however slowly Stripe answers", async () => {
  for (const latencyMs of [0, 20, 1_200]) {
    await using stage = await openSubscriptionShop();
    await stage.atStripe("faults", { api: { latencyMs } });
    const statuses = await Promise.all(Array.from({ length: 6 }, () => begin(stage)));
    expect([latencyMs, ...statuses]).toEqual([latencyMs, 200, 200, 200, 200, 200, 200]);
    await stage.atStripe("faults", { api: { latencyMs: 0 } });
    expect(await pricesOf(stage)).toMatchObject([
      { active: true, unit_amount: 300, metadata: { offer: "month", devices: "1" } },
    ]);
  }
});

test("a price that somebody put away at Stripe is made anew, also on the day that it was made", async () => {
  await using stage = await openSubscriptionShop();
  for (const change of [{ active: false }, { active: false, lookup_key: "old" }]) {
    expect(await begin(stage)).toBe(200);
    for (const { id, active } of await pricesOf(stage))
      if (active) await stripeOf(stage).prices.update(id, change);
    expect(await begin(stage)).toBe(200);
  }
});

test("a price whose product somebody archived at Stripe is made anew, once", async () => {
  await using stage = await openSubscriptionShop();
  expect(await begin(stage)).toBe(200);
  for (const { product } of await pricesOf(stage))
    await stripeOf(stage).products.update(idOf(product), { active: false });
  expect([await begin(stage), await begin(stage)]).toEqual([200, 200]);
  expect(await pricesOf(stage)).toHaveLength(2);
});

test("customers can switch to an offer whose price somebody put away since they last could", async () => {
  await using stage = await openSubscriptionShop();
  const year = { id: "year", name: "A year", amount: 3_000, days: null, every: "year" as const };
  await addOffer(stage.ctx, year, by);
  const { ada } = await subscriber(stage);
  const [{ id }] = (await ada.get("/api/subscriptions")).body.data;
  const portal = { id, flow: "switch", return_to: "/dashboard/license" };
  expect((await ada.post("/api/subscriptions/portal", portal)).status).toBe(200);
  for (const { id: price, metadata } of await pricesOf(stage))
    if (metadata["offer"] === "year") await stripeOf(stage).prices.update(price, { active: false });
  await switchOnPage(stage, ada, "year");
  expect((await ada.get("/api/subscriptions")).body.data).toMatchObject([{ offer: "year" }]);
});

test("a price that was made before there were levels is found again", async () => {
  await using stage = await openSubscriptionShop();
  const { host } = stage.url;
  const named = JSON.stringify([host, "month", 300, "usd", "month", 1]);
  const { id } = await stripeOf(stage).prices.create({
    currency: "usd",
    unit_amount: 300,
    recurring: { interval: "month" },
    product_data: { name: "A month" },
    lookup_key: `latchkey_${new Bun.CryptoHasher("sha256").update(named).digest("hex").slice(0, 32)}`,
    metadata: { offer: "month", devices: 1, shop: host },
  });
  expect(await begin(stage)).toBe(200);
  expect(await pricesOf(stage)).toMatchObject([{ id }]);
});
