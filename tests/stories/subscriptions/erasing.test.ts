import { expect, test } from "bun:test";
import { minute } from "@/contract/vocabulary/time";
import { operator } from "@/core/base/actor";
import { accountNamed } from "@/domain/customers/find";
import { eraseAsStaff } from "@/domain/privacy/erase";
import { payments } from "@/domain/schema/payments";
import { subscriptions } from "@/domain/schema/subscriptions";
import type { Stage } from "../../support/shop/stage";
import {
  atStripeNow,
  checkout,
  customer,
  openSubscriptionShop,
  pass,
  password,
  settleAll,
  subscriber,
  subscriberInArrears,
} from "./subscriber";

/** A subscription as Stripe and the shop hold it. */
async function held(stage: Stage, subscription: string) {
  const { rows } = await stage.ctx.store.client.execute({
    sql: "SELECT account_id, status FROM subscriptions WHERE stripe_id = ?",
    args: [subscription],
  });
  const facts = await stage.shop.checkout.readSubscription(subscription, null);
  return {
    account: rows[0]?.["account_id"],
    status: rows[0]?.["status"],
    atStripe: facts?.status,
    invoices: facts?.invoices.filter(({ status: is }) => is === "paid" || is === "open").length,
  };
}

test("deleting an account ends its subscription at Stripe first, and voids what is owed", async () => {
  await using stage = await openSubscriptionShop();
  const { ada, subscription } = await subscriberInArrears(stage);
  await ada.post("/api/auth/login", { username: "ada", password });
  expect(await held(stage, subscription)).toMatchObject({ status: "past_due", invoices: 2 });
  expect((await ada.post("/api/user/delete", { password })).body).toMatchObject({ status: 200 });
  await stage.stripe.flush();
  expect(await held(stage, subscription)).toEqual({
    account: null,
    status: "ended",
    atStripe: "canceled",
    invoices: 1,
  });
});

test("while Stripe can't be reached, nothing of a subscriber is erased; one that ended there already is no obstacle", async () => {
  await using stage = await openSubscriptionShop();
  const { ada, subscription } = await subscriber(stage);
  await stage.atStripe("faults", { api: { away: true } });
  expect((await ada.post("/api/user/delete", { password })).body).toMatchObject({
    status: 502,
    code: "checkout_unreachable",
  });
  expect((await ada.get("/api/user/me")).body).toMatchObject({ data: { username: "ada" } });
  await stage.atStripe("faults", { api: { away: false } });
  await stage.shop.checkout.cancelSubscription(subscription, "now");
  stage.stripe.setWebhookUrl(null);
  const account = await accountNamed(stage.ctx, "ada");
  const by = { actor: operator, reason: "asked by mail" };
  await eraseAsStaff(stage.ctx, async () => stage.shop.checkout, account, by);
  expect(await held(stage, subscription)).toMatchObject({ account: null, atStripe: "canceled" });
});

test("deleting an account also ends a subscription whose first bank debit is still on its way", async () => {
  await using stage = await openSubscriptionShop();
  const ada = await customer(stage);
  const session = await checkout(ada);
  await stage.stripeTells("pay", { session, outcome: "processing", email: "ada@example.com" });
  expect((await ada.post("/api/user/delete", { password })).body).toMatchObject({ status: 200 });
  const [one] = await atStripeNow(stage);
  expect(one?.status).toMatch(/canceled|incomplete_expired/);
});

test("a renewal heard of after its buyer was erased brings no address and no card back, and the subscription keeps none", async () => {
  await using stage = await openSubscriptionShop();
  const { ada } = await subscriber(stage);
  // the receipt waits for its invoice
  stage.advance(minute);
  await settleAll(stage);
  await stage.atStripe("faults", { webhooks: { drop: "all" } });
  await pass(stage, 32);
  await ada.post("/api/auth/login", { username: "ada", password });
  expect((await ada.post("/api/user/delete", { password })).status).toBe(200);
  await stage.atStripe("faults", { webhooks: { drop: 0 } });
  await stage.shop.periodicJobs.run();
  await settleAll(stage);
  const rows = await stage.ctx.store.db.select().from(payments);
  expect(rows.map(({ state, email, cardLast4 }) => [state, email, cardLast4])).toEqual([
    ["succeeded", null, null],
    ["succeeded", null, null],
  ]);
  const [subscription] = await stage.ctx.store.db.select().from(subscriptions);
  expect(subscription).toMatchObject({
    status: "ended",
    billingEmail: null,
    cardBrand: null,
    cardLast4: null,
  });
  // that of the first order
  const receipts = stage.mail
    .messages("ada@example.com")
    .filter(({ subject }) => subject?.includes("receipt"));
  expect(receipts).toHaveLength(1);
});
