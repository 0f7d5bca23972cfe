import { expect, test } from "bun:test";
import { day, hour, minute } from "@/contract/vocabulary/time";
import { licenceOfKey } from "@/domain/licences/keys/find";
import { changeLicence } from "@/domain/licences/changes/change";
import { cancelAsStaff } from "@/domain/payments/subscriptions/by-staff";
import { checkUnended } from "@/domain/payments/subscriptions/unended";
import { subscriptionNamed } from "@/domain/payments/subscriptions/for-staff";
import type { Person } from "../../support/people/person";
import type { Stage } from "../../support/shop/stage";
import {
  atStripeNow,
  buy,
  by,
  checkout,
  customer,
  openSeveral,
  openSubscriptionShop,
  pass,
  password,
  paymentsOf,
  renewalsHeld,
  seenBy,
  settleAll,
  stripeOf,
  subscriber,
} from "./subscriber";

const take = (stage: Stage, session: string, outcome: string) =>
  stage.atStripe("pay", { session, outcome, email: "ada@example.com" });

async function settleWell(stage: Stage) {
  for (let time = 0; time < 3; time += 1) await settleAll(stage);
}

/** A month whose first money is on its way. */
async function waiting(stage: Stage, outcome = "processing") {
  const ada = await customer(stage);
  return { ada, session: await buy(stage, ada, { outcome }) };
}

const listed = async (person: Person) => (await person.get("/api/subscriptions")).body.data;
const secondsFrom = (stage: Stage, days: number) =>
  Math.floor((stage.ctx.now().getTime() + days * day) / 1000);

async function atStripe(stage: Stage) {
  const [one] = await atStripeNow(stage);
  if (!one) throw new Error("there is no subscription");
  return { ...one, states: one.invoices.map(({ status }) => status) };
}

async function buyLifetime(stage: Stage, person: Person) {
  await person.post("/api/auth/login", { username: "ada", password });
  const { body } = await person.post("/api/stripe/create-checkout-session", { currency: "usd" });
  await stage.atStripe("pay", { session: body.data.id, email: "ada@example.com" });
}

test("while its first money is on its way a subscription is the account's one, and a second is refused by its name", async () => {
  await using stage = await openSubscriptionShop();
  const { ada } = await waiting(stage);
  const [pending] = await listed(ada);
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

test("one whose voucher is not paid can be dropped, which voids its invoice; a debit that the bank moves can't", async () => {
  await using stage = await openSubscriptionShop();
  const { ada } = await waiting(stage, "voucher");
  const [{ id }] = await listed(ada);
  expect((await stage.person().post("/api/subscriptions/drop", { id })).status).toBe(401);
  expect((await ada.post("/api/subscriptions/drop", { id: "nothing" })).body.code).toBe("not_found");
  expect((await ada.post("/api/subscriptions/drop", { id })).body).toMatchObject({ status: 200, data: null });
  await settleAll(stage);
  expect(await listed(ada)).toEqual([]);
  expect(await atStripe(stage)).toMatchObject({ status: "canceled", states: ["void"] });
  const session = await checkout(ada);
  await take(stage, session, "processing");
  await settleAll(stage);
  const [moving] = await listed(ada);
  const refused = await ada.post("/api/subscriptions/drop", { id: moving.id });
  expect(refused.body).toMatchObject({ status: 409, code: "subscription_processing" });
  expect(await listed(ada)).toMatchObject([{ status: "pending" }]);
});

test("those whose money is on its way are all listed and dropped one by one, and no further checkout can be completed", async () => {
  await using stage = await openSubscriptionShop();
  const ada = await customer(stage, "ada");
  const sessions: string[] = [];
  for (let nth = 0; nth < 3; nth += 1) {
    sessions.push(await checkout(ada));
    stage.advance(11 * minute);
  }
  const [first = "", second = "", third = ""] = sessions;
  // both before the shop heard of either
  for (const session of [first, second]) await take(stage, session, "voucher");
  await settleWell(stage);
  expect(await stage.atStripe("pay", { session: third, email: "ada@example.com" }).catch(String)).toContain(
    "expired",
  );
  expect(await listed(ada)).toMatchObject([{ status: "pending" }, { status: "pending" }]);
  for (const { id } of (await listed(ada)).toReversed())
    expect((await ada.post("/api/subscriptions/drop", { id })).status).toBe(200);
  await settleWell(stage);
  expect(await listed(ada)).toEqual([]);
});

test("what was paid a moment ago is not dropped", async () => {
  await using stage = await openSubscriptionShop();
  const { ada } = await waiting(stage, "voucher");
  const [{ id }] = await listed(ada);
  stage.stripe.setWebhookUrl(null);
  const [invoice] = (await atStripe(stage)).invoices;
  await stage.atStripe("invoice/outside", { invoice: invoice?.invoice });
  expect((await ada.post("/api/subscriptions/drop", { id })).body.code).toBe("subscription_processing");
  expect(await listed(ada)).toMatchObject([{ status: "active" }]);
});

test("a lifetime bought while the first debit is on its way cancels it, and the debit is given back", async () => {
  await using stage = await openSubscriptionShop();
  const { ada, session } = await waiting(stage);
  await buyLifetime(stage, ada);
  await settleWell(stage);
  expect((await atStripe(stage)).status).toBe("canceled");
  await pass(stage, 5);
  await stage.atStripe("settle", { session, outcome: "succeed" });
  await settleWell(stage);
  expect(await atStripe(stage)).toMatchObject({ status: "canceled", invoices: [{ refunded: 300 }] });
  await ada.post("/api/auth/login", { username: "ada", password });
  expect(await listed(ada)).toEqual([]);
});

test("a first debit that fails and is paid on its invoice's page after all begins the subscription", async () => {
  await using stage = await openSubscriptionShop();
  const { ada, session } = await waiting(stage);
  await stage.atStripe("settle", { session, outcome: "fail" });
  await settleAll(stage);
  expect(await listed(ada)).toEqual([]);
  await stage.atStripe("invoice/pay", {
    invoice: (await atStripe(stage)).invoices[0]?.invoice,
    card: "4242",
  });
  await settleAll(stage);
  expect(await seenBy(ada)).toMatchObject({ status: "active", licence: { active: true } });
});

test("of two that were bought, the one whose money came first stays, however late the other's comes", async () => {
  await using stage = await openSubscriptionShop();
  const ada = await customer(stage);
  const [slow = "", fast = ""] = await openSeveral(stage, ada, 2);
  await take(stage, slow, "processing");
  await stage.atStripe("pay", { session: fast, email: "ada@example.com" });
  await settleWell(stage);
  await pass(stage, 5);
  await stage.atStripe("settle", { session: slow, outcome: "succeed" }).catch(() => {});
  await settleWell(stage);
  const held = (await atStripeNow(stage)).map(({ status, invoices }) => [status, invoices[0]?.refunded]);
  expect(held.filter(([status]) => status === "active")).toEqual([["active", 0]]);
  for (const [status, refunded] of held) if (status !== "active") expect(refunded).toBe(300);
});

async function owing(stage: Stage) {
  const bought = await subscriber(stage);
  await stage.atStripe("card/mood", { subscription: bought.subscription, mood: "declines" });
  await pass(stage, 32);
  return bought;
}

test("after staff revoked a licence, or an earlier month's dispute was lost, what was owed can't be paid any more", async () => {
  for (const how of ["revoked", "lost"]) {
    await using stage = await openSubscriptionShop();
    const { ada, session } = await owing(stage);
    if (how === "lost")
      for (const status of ["needs_response", "lost"]) await stage.atStripe("dispute", { session, status });
    else {
      const licence = await licenceOfKey(stage.ctx, (await seenBy(ada)).license_key);
      if (!licence) throw new Error("there is no licence");
      await changeLicence(stage.ctx, licence, "revoke", by);
    }
    await settleWell(stage);
    expect(await atStripe(stage)).toMatchObject({ status: "canceled", states: ["paid", "void"] });
  }
});

test("who buys a lifetime while a renewal is unpaid owes nothing any more", async () => {
  await using stage = await openSubscriptionShop();
  const { ada } = await owing(stage);
  await buyLifetime(stage, ada);
  await settleWell(stage);
  expect(await atStripe(stage)).toMatchObject({ status: "canceled", states: ["paid", "void"] });
});

test("one that ends in three months renews until then without a gap, and says so", async () => {
  await using stage = await openSubscriptionShop();
  const { ada, subscription } = await subscriber(stage);
  await stripeOf(stage).subscriptions.update(subscription, { cancel_at: secondsFrom(stage, 100) });
  await settleAll(stage);
  const seen = await seenBy(ada);
  expect(seen).toMatchObject({ status: "active", amount: 300 });
  expect(Date.parse(seen.ends_at)).toBeGreaterThan(Date.parse(seen.renews_at));
  stage.advance(Date.parse(seen.renews_at) + 10 * minute - stage.ctx.now().getTime());
  await settleAll(stage);
  expect(await seenBy(ada)).toMatchObject({ status: "active", licence: { active: true } });
});

test("a lifetime, and staff, bring an end that lies months ahead forward to the end of what is paid", async () => {
  for (const how of ["lifetime", "staff"]) {
    await using stage = await openSubscriptionShop();
    const { ada, subscription } = await subscriber(stage);
    await stripeOf(stage).subscriptions.update(subscription, { cancel_at: secondsFrom(stage, 200) });
    await settleAll(stage);
    if (how === "lifetime") await buyLifetime(stage, ada);
    else {
      const held = await subscriptionNamed(stage.ctx, subscription);
      await cancelAsStaff(stage.ctx, stage.shop.checkout, held, { when: "period_end", by });
    }
    await settleWell(stage);
    await pass(stage, 95);
    expect(await atStripe(stage)).toMatchObject({ status: "canceled", states: ["paid"] });
  }
});

test("one that was resumed by hand beside a lifetime is ended again", async () => {
  await using stage = await openSubscriptionShop();
  const { ada, subscription } = await subscriber(stage);
  await buyLifetime(stage, ada);
  await settleWell(stage);
  await stripeOf(stage).subscriptions.update(subscription, { cancel_at_period_end: false });
  await settleWell(stage);
  expect((await atStripe(stage)).cancel_at).not.toBeNull();
});

test("a trial that was made longer or shorter at Stripe lasts as Stripe says", async () => {
  await using stage = await openSubscriptionShop(7);
  const { ada, subscription } = await subscriber(stage);
  const move = async (days: number) => {
    await stripeOf(stage).subscriptions.update(subscription, { trial_end: secondsFrom(stage, days) });
    await settleAll(stage);
  };
  await move(30);
  await pass(stage, 15);
  expect(await seenBy(ada)).toMatchObject({ status: "trialing", graceDays: 3, licence: { active: true } });
  await move(1);
  expect(await seenBy(ada)).toMatchObject({ status: "trialing", graceDays: 3, licence: { active: true } });
});

test("a renewal is recorded although Stripe does not preview the next charge", async () => {
  for (const as of ["tax_location", "schedule", "permission"]) {
    await using stage = await openSubscriptionShop();
    const { ada } = await subscriber(stage);
    await stage.atStripe("refuse", { path: "/v1/invoices/create_preview", as });
    await pass(stage, 32);
    expect(await seenBy(ada)).toMatchObject({ status: "active", amount: 300, licence: { active: true } });
    expect(await paymentsOf(ada)).toHaveLength(2);
  }
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
      await settleAll(stage);
    }
    expect(await seenBy(ada)).toMatchObject({ status: "active", licence: { active: true } });
    expect(await paymentsOf(ada)).toHaveLength(2);
  }
});

test("a customer who was deleted at Stripe ends the subscription and keeps what was paid", async () => {
  await using stage = await openSubscriptionShop();
  const { ada } = await subscriber(stage);
  await stage.atStripe("customer/delete", { customer: (await atStripe(stage)).customer });
  await settleAll(stage);
  expect(await seenBy(ada)).toMatchObject({ status: "ended", licence: { active: true } });
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
  await pass(stage, 16);
  stage.advance(2 * hour);
  await settleAll(stage);
  expect(await seenBy(ada)).toMatchObject({ status: "active", licence: { active: true } });
});

test("what is paid for an ended subscription is heard from an endpoint of any API version", async () => {
  for (const version of ["2024-06-20", "2020-08-27"]) {
    await using stage = await openSubscriptionShop();
    await stage.atStripe("events/version", { version });
    const { ada, subscription } = await owing(stage);
    const open = (await atStripe(stage)).invoices.find(({ status }) => status === "open")?.invoice;
    await stage.atStripe("subscription/cancel", { subscription, at: "now" });
    await settleAll(stage);
    expect(await seenBy(ada)).toMatchObject({ status: "ended" });
    await stage.atStripe("invoice/pay", { invoice: open, card: "4242" });
    await settleAll(stage);
    expect(await paymentsOf(ada)).toHaveLength(2);
    expect(await seenBy(ada)).toMatchObject({ status: "ended", licence: { active: true } });
  }
});

test("one that ended while its first money was on its way is no longer listed and stands in no other's way", async () => {
  await using stage = await openSubscriptionShop();
  const { ada } = await waiting(stage, "voucher");
  const { subscription } = await atStripe(stage);
  await stage.atStripe("subscription/cancel", { subscription, at: "now" });
  await settleAll(stage);
  expect(await listed(ada)).toEqual([]);
  await checkout(ada);
});

test("a first invoice that was paid elsewhere begins the subscription", async () => {
  await using stage = await openSubscriptionShop();
  const { ada } = await waiting(stage, "voucher");
  await stage.atStripe("invoice/outside", { invoice: (await atStripe(stage)).invoices[0]?.invoice });
  await settleAll(stage);
  expect(await seenBy(ada)).toMatchObject({ status: "active", licence: { active: true } });
  expect(await paymentsOf(ada)).toMatchObject([{ bill: { asked: 300, outside: 300, paid: 0 } }]);
});

test("a period that was refunded in full and then disputed is over all the same", async () => {
  await using stage = await openSubscriptionShop();
  const { session } = await subscriber(stage);
  await stage.atStripe("refund", { session });
  await stage.atStripe("dispute", { session, status: "needs_response" });
  await settleWell(stage);
  expect((await atStripe(stage)).status).toBe("canceled");
});

test("a second subscription that had ended when the shop heard of it is given back as well", async () => {
  await using stage = await openSubscriptionShop();
  const ada = await customer(stage);
  const [slow = "", fast = ""] = await openSeveral(stage, ada, 2);
  stage.stripe.setWebhookUrl(null);
  for (const session of [slow, fast]) {
    await stage.atStripe("pay", { session, email: "ada@example.com" });
    stage.advance(minute);
  }
  const cancelled = await stripeOf(stage).checkout.sessions.retrieve(fast);
  await stage.atStripe("subscription/cancel", { subscription: cancelled.subscription, at: "now" });
  for (const session of [fast, slow]) await ada.get(`/api/stripe/verify-payment?session_id=${session}`);
  await settleWell(stage);
  const held = (await atStripeNow(stage)).map(({ status, invoices }) => [status, invoices[0]?.refunded]);
  expect(held).toContainEqual(["active", 0]);
  expect(held).toContainEqual(["canceled", 300]);
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
  await checkUnended(stage.ctx, stage.shop.checkout);
  await settleWell(stage);
  expect(await refunded()).toEqual([0, 300]);
});

test("a call that Stripe fails holds up no refund", async () => {
  await using stage = await openSubscriptionShop();
  const { ada } = await owing(stage);
  const licence = await licenceOfKey(stage.ctx, (await seenBy(ada)).license_key);
  if (!licence) throw new Error("there is no licence");
  const open = (await atStripe(stage)).invoices.find(({ status }) => status === "open")?.invoice;
  await stage.atStripe("faults", {
    api: { next: [{ fail: 500, count: 50, path: "/v1/subscriptions", method: "DELETE" }] },
  });
  await changeLicence(stage.ctx, licence, "revoke", by);
  await settleAll(stage);
  // Stripe's times are whole seconds
  stage.advance(1_000);
  await stage.atStripe("invoice/pay", { invoice: open, card: "4242" });
  await settleAll(stage);
  // what failed meanwhile is tried again after a pause
  stage.advance(minute);
  await settleWell(stage);
  expect((await atStripe(stage)).invoices.map(({ refunded }) => refunded)).toEqual([0, 300]);
});
