import { expect, test } from "bun:test";
import { hour, minute } from "@/contract/vocabulary/time";
import { operator } from "@/core/base/actor";
import { subscriptionFigures } from "@/domain/figures/subscriptions";
import { subscriptionRuns } from "@/domain/schema/subscriptions";
import { settleSubject } from "@/domain/payments/settlement/settle";
import type { Stage } from "../../support/shop/stage";
import { addOffer } from "@/domain/offers/change";
import {
  atStripeNow,
  buy,
  by,
  checkout,
  customer,
  happens,
  openSeveral,
  openSubscriptionShop,
  password,
  paymentsOf,
  settleAll,
  stripeOf,
  subscriber,
} from "./subscriber";

test("a double click on Buy, one after the other or at once, opens one checkout", async () => {
  await using stage = await openSubscriptionShop();
  const ada = await customer(stage);
  const both = await Promise.all([checkout(ada), checkout(ada)]);
  expect(new Set([...both, await checkout(ada)]).size).toBe(1);
});

test("Buy pressed again later, or after the checkout expired, opens another", async () => {
  await using stage = await openSubscriptionShop();
  const ada = await customer(stage);
  const first = await checkout(ada);
  await stage.atStripe("expire", { session: first });
  const second = await checkout(ada);
  expect(second).not.toBe(first);
  stage.advance(11 * minute);
  expect(await checkout(ada)).not.toBe(second);
});

test("of two subscriptions whose checkouts were both completed, the later one is cancelled at once and given back", async () => {
  await using stage = await openSubscriptionShop();
  const ada = await customer(stage);
  const [first, second] = await openSeveral(stage, ada, 2);
  await stage.atStripe("pay", { session: first, email: "ada@example.com" });
  stage.advance(minute);
  await stage.atStripe("pay", { session: second, email: "ada@example.com" });
  for (let time = 0; time < 3; time += 1) await settleAll(stage);
  const held = (await atStripeNow(stage)).map(({ status, invoices }) => [status, invoices[0]?.refunded]);
  expect(held.toSorted(([one], [other]) => String(one).localeCompare(String(other)))).toEqual([
    ["active", 0],
    ["canceled", 300],
  ]);
  const states = (await paymentsOf(ada)).map(({ status }: { status: string }) => status);
  expect(states).toEqual(["refunded", "succeeded"]);
  const subscriptions = (await ada.get("/api/subscriptions")).body.data;
  expect(subscriptions.map(({ status }: { status: string }) => status)).toEqual(["ended", "active"]);
});

/** How many an account's subscriptions are in the figures. */
const figureCounts = async (stage: Stage) => {
  const told = await subscriptionFigures(stage.ctx, operator, {});
  return { started: told?.started, ended: told?.ended, trials: told?.trials.begun, runs: await runs(stage) };
};

/** Stretches of a subscription that counted towards money a month. */
const runs = async ({ ctx }: Stage) =>
  (await ctx.store.db.select().from(subscriptionRuns)).filter(({ from, until }) => !until || until > from)
    .length;

test.each([
  [null, { started: 1, ended: 0, trials: 0, runs: 1 }],
  [7, { started: 0, ended: 0, trials: 1, runs: 0 }],
])(
  "a second subscription, with %p days of trial, is no customer won or lost, whenever it is looked at",
  async (trial, figures) => {
    await using stage = await openSubscriptionShop(trial);
    const ada = await customer(stage);
    const [first, second] = await openSeveral(stage, ada, 2);
    // heard of in this order
    stage.stripe.setWebhookUrl(null);
    await stage.atStripe("pay", { session: first, email: "ada@example.com" });
    stage.advance(minute);
    await stage.atStripe("pay", { session: second, email: "ada@example.com", card: "1117" });
    for (const session of [first, second]) await ada.get(`/api/stripe/verify-payment?session_id=${session}`);
    stage.stripe.setWebhookUrl(stage.webhookUrl());
    // not yet cancelled
    expect(await figureCounts(stage)).toEqual(figures);
    stage.advance(hour);
    for (let time = 0; time < 3; time += 1) await settleAll(stage);
    expect((await atStripeNow(stage)).filter(({ status }) => status === "canceled")).toHaveLength(1);
    expect(await figureCounts(stage)).toEqual(figures);
    // nor after a later look, when its buyer is gone
    await ada.post("/api/user/delete", { password });
    await settleAll(stage);
    const after = await figureCounts(stage);
    for (const { subscription } of await atStripeNow(stage))
      await settleSubject(stage.ctx, stage.shop.checkout, { subscription });
    expect(await figureCounts(stage)).toEqual(after);
  },
);

const statusAtStripe = async (stage: Stage, session: string) =>
  (await stripeOf(stage).checkout.sessions.retrieve(session)).status;

async function statusesAtStripe(stage: Stage, sessions: string[]) {
  const statuses = await Promise.all(sessions.map((session) => statusAtStripe(stage, session)));
  return new Set(statuses);
}

test("completing a subscription's checkout expires the account's others, however many, and nobody else's", async () => {
  await using stage = await openSubscriptionShop();
  await addOffer(stage.ctx, { id: "once", name: "Once", amount: 500, days: 30 }, by);
  const ada = await customer(stage);
  const bob = await customer(stage, "bob");
  const guest = stage.person();
  const kept = [await checkout(ada, "once"), await checkout(bob), await checkout(guest)];
  const [bought = "", ...others] = await openSeveral(stage, ada, 25);
  await happens(stage, "pay", { session: bought, email: "ada@example.com" });
  expect(await statusesAtStripe(stage, others)).toEqual(new Set(["expired"]));
  expect(await statusesAtStripe(stage, kept)).toEqual(new Set(["open"]));
  expect((await atStripeNow(stage)).map(({ status }) => status)).toEqual(["active"]);
});

test("redeeming a lifetime expires the account's open checkouts of subscriptions", async () => {
  await using stage = await openSubscriptionShop();
  const ada = await customer(stage);
  const open = await openSeveral(stage, ada, 3);
  const key = await stage.handOut();
  expect((await ada.post("/api/licenses/redeem", { key, timezone: "UTC" })).status).toBe(200);
  await settleAll(stage);
  expect(await statusesAtStripe(stage, open)).toEqual(new Set(["expired"]));
});

test("others that are expired or completed already stop nothing, and Stripe being away only delays it", async () => {
  await using stage = await openSubscriptionShop();
  const ada = await customer(stage);
  const [expired = "", completed = "", bought = "", open = ""] = await openSeveral(stage, ada, 4);
  const path = `/v1/checkout/sessions/${open}/expire`;
  await stage.atStripe("faults", { api: { next: [{ fail: 500, count: 2, path }] } });
  // no webhook tells of them, so the shop takes both for open
  stage.stripe.setWebhookUrl(null);
  await stage.atStripe("expire", { session: expired });
  await stage.atStripe("pay", { session: bought, email: "ada@example.com" });
  await ada.get(`/api/stripe/verify-payment?session_id=${bought}`);
  stage.advance(minute);
  await happens(stage, "pay", { session: completed, email: "ada@example.com" });
  expect(await statusAtStripe(stage, open)).toBe("open");
  stage.advance(hour);
  for (let time = 0; time < 3; time += 1) await settleAll(stage);
  expect(await statusAtStripe(stage, open)).toBe("expired");
  const held = (await atStripeNow(stage)).map(({ status, invoices }) => [status, invoices[0]?.refunded]);
  expect(held.toSorted(([one], [other]) => String(one).localeCompare(String(other)))).toEqual([
    ["active", 0],
    ["canceled", 300],
  ]);
});

test("a subscription of the shop's other Stripe mode neither stops a purchase nor takes it back", async () => {
  await using stage = await openSubscriptionShop();
  const { ada } = await subscriber(stage);
  await stage.ctx.store.client.execute("UPDATE subscriptions SET livemode = 1 - livemode");
  await buy(stage, ada);
  for (let time = 0; time < 2; time += 1) await settleAll(stage);
  const held = (await atStripeNow(stage)).map(({ status, invoices }) => [status, invoices[0]?.refunded]);
  expect(held).toEqual([
    ["active", 0],
    ["active", 0],
  ]);
  expect((await ada.get("/api/subscriptions")).body.data).toHaveLength(1);
});

test("a subscription that was bought without an account and is redeemed beside another is kept", async () => {
  await using stage = await openSubscriptionShop();
  const { ada } = await subscriber(stage);
  const guest = stage.person();
  const session = await buy(stage, guest);
  const { body } = await guest.get(`/api/stripe/verify-payment?session_id=${session}`);
  const redeemed = await ada.post("/api/licenses/redeem", { key: body.data.license_key, timezone: "UTC" });
  expect(redeemed.status).toBe(200);
  for (const { subscription } of await atStripeNow(stage)) {
    await settleSubject(stage.ctx, stage.shop.checkout, { subscription });
  }
  await settleAll(stage);
  expect((await atStripeNow(stage)).map(({ status }) => status)).toEqual(["active", "active"]);
});
