import { expect, test } from "bun:test";
import { day, hour, minute } from "@/contract/vocabulary/time";
import { licenceOfKey } from "@/domain/licences/keys/find";
import { changeLicence } from "@/domain/licences/changes/change";
import { cancelAsStaff } from "@/domain/payments/subscriptions/by-staff";
import { checkDueSubscriptions } from "@/domain/payments/subscriptions/due-checks";
import { subscriptionNamed } from "@/domain/payments/subscriptions/for-staff";
import type { Person } from "../../support/people/person";
import type { Stage } from "../../support/shop/stage";
import {
  atStripeNow,
  buy,
  by,
  customer,
  openSeveral,
  openSubscriptionShop,
  subscriberInArrears,
  pass,
  paymentsOf,
  renewalsHeld,
  seenBy,
  settleAll,
  stripeOf,
  subscriber,
} from "./subscriber";

async function settleWell(stage: Stage) {
  for (let time = 0; time < 3; time += 1) await settleAll(stage);
}

/** A month whose first money is on its way. */
async function subscriberWithPendingPayment(stage: Stage, outcome = "processing") {
  const ada = await customer(stage);
  return { ada, session: await buy(stage, ada, { outcome }) };
}

const listSubscriptions = async (person: Person) => (await person.get("/api/subscriptions")).body.data;

async function atStripe(stage: Stage) {
  const [one] = await atStripeNow(stage);
  if (!one) throw new Error("there is no subscription");
  return { ...one, states: one.invoices.map(({ status }) => status) };
}

test("while its first money is on its way a subscription is the account's one, and a second is refused by its name", async () => {
  await using stage = await openSubscriptionShop();
  const { ada } = await subscriberWithPendingPayment(stage);
  const [pending] = await listSubscriptions(ada);
  expect(pending).toMatchObject({
    status: "pending",
    offer: "month",
    renews_at: null,
    ends_at: null,
    amount: null,
    card: null,
    license_key: null,
  });
  const again = await ada.post("/api/stripe/create-checkout-session", { currency: "usd", offer: "month" });
  expect(again.body).toMatchObject({ status: 409, code: "already_subscribed", subscription: pending.id });
});

test("a subscription whose voucher is not paid can be dropped, which voids its invoice; one whose debit the bank is processing can't", async () => {
  await using stage = await openSubscriptionShop();
  const { ada } = await subscriberWithPendingPayment(stage, "voucher");
  const [{ id }] = await listSubscriptions(ada);
  expect((await stage.person().post("/api/subscriptions/drop", { id })).status).toBe(401);
  expect((await ada.post("/api/subscriptions/drop", { id: "nothing" })).body.code).toBe("not_found");
  expect((await ada.post("/api/subscriptions/drop", { id })).body).toMatchObject({ status: 200, data: null });
  await settleAll(stage);
  expect(await listSubscriptions(ada)).toEqual([]);
  expect(await atStripe(stage)).toMatchObject({ status: "canceled", states: ["void"] });
  await buy(stage, ada, { outcome: "processing" });
  const [moving] = await listSubscriptions(ada);
  const refused = await ada.post("/api/subscriptions/drop", { id: moving.id });
  expect(refused.body).toMatchObject({ status: 409, code: "subscription_processing" });
  expect(await listSubscriptions(ada)).toMatchObject([{ status: "pending" }]);
});

test("a subscription that was paid a moment ago is not dropped", async () => {
  await using stage = await openSubscriptionShop();
  const { ada } = await subscriberWithPendingPayment(stage, "voucher");
  const [{ id }] = await listSubscriptions(ada);
  stage.stripe.setWebhookUrl(null);
  const [invoice] = (await atStripe(stage)).invoices;
  await stage.atStripe("invoice/outside", { invoice: invoice?.invoice });
  expect((await ada.post("/api/subscriptions/drop", { id })).body.code).toBe("subscription_processing");
  expect(await listSubscriptions(ada)).toMatchObject([{ status: "active" }]);
});

test("a first debit that fails and is paid on its invoice's page after all begins the subscription", async () => {
  await using stage = await openSubscriptionShop();
  const { ada, session } = await subscriberWithPendingPayment(stage);
  await stage.atStripe("settle", { session, outcome: "fail" });
  await settleAll(stage);
  expect(await listSubscriptions(ada)).toEqual([]);
  await stage.atStripe("invoice/pay", {
    invoice: (await atStripe(stage)).invoices[0]?.invoice,
    card: "4242",
  });
  await settleAll(stage);
  expect(await seenBy(ada)).toMatchObject({ status: "active", licence: { active: true } });
});

test("staff bring an end that lies months ahead forward to the end of what is paid", async () => {
  await using stage = await openSubscriptionShop();
  const { subscription } = await subscriber(stage);
  const cancel_at = Math.floor((stage.ctx.now().getTime() + 200 * day) / 1000);
  await stripeOf(stage).subscriptions.update(subscription, { cancel_at });
  await settleAll(stage);
  const held = await subscriptionNamed(stage.ctx, subscription);
  await cancelAsStaff(stage.ctx, stage.shop.checkout, held, { when: "period_end", by });
  await settleWell(stage);
  await pass(stage, 95);
  expect(await atStripe(stage)).toMatchObject({ status: "canceled", states: ["paid"] });
});

test("keys that may not write invoices or subscriptions still record renewals, and others do once they may read", async () => {
  for (const permission of ["invoice_write", "subscription_write", "payment_method_read", "customer_read"]) {
    await using stage = await openSubscriptionShop();
    const { ada } = await subscriber(stage);
    const key = `rk_test_without_${permission}`;
    await stage.atStripe("keys", { key, lacks: [permission] });
    await stage.restart({ stripeKey: key });
    await stage.atStripe("card/new", { customer: (await atStripe(stage)).customer, card: "4444" });
    await pass(stage, 32);
    if (permission.endsWith("_read")) {
      expect(await renewalsHeld(stage)).toEqual([]);
      await stage.atStripe("keys", { key, lacks: [] });
    }
    // a job that was refused tries again some seconds later
    stage.advance(minute);
    await settleAll(stage);
    expect(await seenBy(ada)).toMatchObject({ status: "active", licence: { active: true } });
    expect(await paymentsOf(ada)).toHaveLength(2);
  }
});

test("a month whose invoice was voided is a pause until the next charge", async () => {
  await using stage = await openSubscriptionShop();
  const { ada, subscription } = await subscriber(stage);
  await stripeOf(stage).subscriptions.update(subscription, { pause_collection: { behavior: "void" } });
  await pass(stage, 45);
  expect(await seenBy(ada)).toMatchObject({ status: "paused", renews_at: null, licence: { active: false } });
  await settleAll(stage);
  const subjects = stage.mail.messages("ada@example.com").map(({ subject }) => subject ?? "");
  expect(subjects.filter((one) => one.includes("is paused"))).toHaveLength(1);
  expect(subjects.filter((one) => one.includes("failed"))).toEqual([]);
  await stripeOf(stage).subscriptions.update(subscription, { pause_collection: "" });
  await settleAll(stage);
  const seen = await seenBy(ada);
  expect(seen).toMatchObject({ status: "paused", licence: { active: false } });
  expect(Date.parse(seen.renews_at)).toBeGreaterThan(stage.ctx.now().getTime());
  await pass(stage, 18);
  stage.advance(2 * hour);
  await settleAll(stage);
  expect(await seenBy(ada)).toMatchObject({ status: "active", licence: { active: true } });
});

test("a give-back that Stripe refuses is asked for again a day later", async () => {
  await using stage = await openSubscriptionShop();
  const ada = await customer(stage);
  const [first = "", second = ""] = await openSeveral(stage, ada, 2);
  await stage.atStripe("refuse", { path: "/v1/refunds", as: "schedule" });
  for (const session of [first, second]) {
    await stage.atStripe("pay", { session, email: "ada@example.com" });
    stage.advance(minute);
  }
  await settleWell(stage);
  const refunded = async () =>
    (await atStripeNow(stage))
      .map(({ invoices }) => invoices[0]?.refunded ?? 0)
      .toSorted((one, other) => one - other);
  expect(await refunded()).toEqual([0, 0]);
  await stage.atStripe("refuse", { path: "/v1/refunds", as: null });
  stage.advance(25 * hour);
  await checkDueSubscriptions(stage.ctx, stage.shop.checkout);
  await settleWell(stage);
  expect(await refunded()).toEqual([0, 300]);
});

test("a call that Stripe fails holds up no refund", async () => {
  await using stage = await openSubscriptionShop();
  const { ada, invoice } = await subscriberInArrears(stage);
  const licence = await licenceOfKey(stage.ctx, (await seenBy(ada)).license_key);
  if (!licence) throw new Error("there is no licence");
  await stage.atStripe("faults", {
    api: { next: [{ fail: 500, count: 50, path: "/v1/subscriptions", method: "DELETE" }] },
  });
  await changeLicence(stage.ctx, licence, "revoke", by);
  await settleAll(stage);
  // Stripe's times are whole seconds
  stage.advance(1_000);
  await stage.atStripe("invoice/pay", { invoice, card: "4242" });
  await settleAll(stage);
  // what failed meanwhile is tried again after a pause
  stage.advance(minute);
  await settleWell(stage);
  expect((await atStripe(stage)).invoices.map(({ refunded }) => refunded)).toEqual([0, 300]);
});
