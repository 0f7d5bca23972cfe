import { expect, test } from "bun:test";
import { minute } from "@/contract/vocabulary/time";
import { addOffer } from "@/domain/offers/change";
import { settle } from "@/domain/payments/settlement/settle";
import { syncSubscriptions } from "@/domain/payments/subscriptions/by-staff";
import { operated } from "../../support/operator/run-operator";
import { mailsTo, login, recover } from "../accounts/people";
import { addLevels } from "../../support/shop/levels";
import { type Stage } from "../../support/shop/stage";
import type { Person } from "../../support/people/person";
import {
  atStripeNow,
  buy,
  by,
  checkout,
  customer,
  happens,
  openSubscriptionShop,
  pass,
  password,
  seenBy,
  settleAll,
  stripeOf,
  subscriber,
} from "./subscriber";

async function tries(
  stage: Stage,
  person: Person,
  how: { offer?: string; email: string; card?: string; outcome?: string },
) {
  const session = await buy(stage, person, how);
  return (await person.get(`/api/stripe/verify-payment?session_id=${session}`)).body.data;
}

const statuses = async (stage: Stage) => (await atStripeNow(stage)).map(({ status }) => status).toSorted();

test("a trial is given once a card, and once an address however it is written: the second is cancelled at once, sells nothing, and its buyer is told", async () => {
  await using stage = await openSubscriptionShop(14);
  await subscriber(stage);
  const bob = await tries(stage, stage.person(), { email: "bob@example.com" });
  expect(bob).toMatchObject({ status: "Payment Failed", license_key: null });
  expect(await statuses(stage)).toEqual(["canceled", "trialing"]);
  const [mail] = await mailsTo(stage, "bob@example.com");
  expect(mail?.subject).toBe("Your trial of A month was canceled");
  expect(await tries(stage, stage.person(), { email: "cyd@example.com", card: "4444" })).toMatchObject({
    status: "Payment Successful",
    message: "Your free trial has started.",
    term: { days: null, devices: 1, recurring: { interval: "month", trial_days: 14 } },
  });
  expect(await tries(stage, stage.person(), { email: "ADA@Example.com", card: "5555" })).toMatchObject({
    status: "Payment Failed",
    license_key: null,
  });
});

test("the command line changes an offer's trial, and takes it away", async () => {
  await using stage = await openSubscriptionShop(14);
  const why = ["--reason", "a story"];
  expect(await operated(stage, "offers", "change", "month", "--trial", "7", ...why)).toMatchObject({
    every: "month",
    trialDays: 7,
  });
  expect(await trialDays(stage.person())).toBe(7);
  await operated(stage, "offers", "change", "month", "--no-trial", ...why);
  expect(await trialDays(stage.person())).toBeNull();
});

test("an account that had a trial is offered, and subscribes, without one", async () => {
  await using stage = await openSubscriptionShop(14);
  const { ada, subscription } = await subscriber(stage);
  await happens(stage, "subscription/cancel", { subscription, at: "now" });
  const offers = (await ada.get("/api/offers")).body.data;
  expect(offers.at(-1)).toMatchObject({ id: "month", recurring: { interval: "month", trial_days: null } });
  expect(await tries(stage, ada, { email: "ada@example.com" })).toMatchObject({
    status: "Payment Successful",
  });
  expect(await seenBy(ada)).toMatchObject({ status: "active", licence: { active: true } });
});

test("a trial of one level is the account's, the email's and the card's only one, whatever the level of the next", async () => {
  await using stage = await openSubscriptionShop(14);
  await addLevels(stage, { id: "team" });
  const team = { id: "team-month", name: "Team", amount: 900, days: null, every: "month" } as const;
  await addOffer(stage.ctx, { ...team, trialDays: 14, level: "team" }, by);
  const { ada, subscription } = await subscriber(stage);
  await happens(stage, "subscription/cancel", { subscription, at: "now" });
  expect(await trialDays(ada)).toBeNull();
  for (const how of [{ email: "ada@example.com", card: "4444" }, { email: "bob@example.com" }]) {
    const answer = await tries(stage, stage.person(), { offer: "team-month", ...how });
    expect(answer).toMatchObject({ status: "Payment Failed", license_key: null });
  }
});

const trialDays = async (person: Person) =>
  (await person.get("/api/offers")).body.data.at(-1).recurring.trial_days;

test("an account that redeemed a trial, or has confirmed the address of one, is offered none", async () => {
  await using stage = await openSubscriptionShop(14);
  const ada = stage.person();
  const { license_key: key } = await tries(stage, stage.person(), { email: "ada@example.com" });
  await ada.register(await stage.handOut(1), "bob", password);
  expect(await trialDays(ada)).toBe(14);
  expect((await ada.post("/api/licenses/redeem", { key, timezone: "UTC" })).status).toBe(200);
  expect(await trialDays(ada)).toBeNull();
  const hers = await customer(stage);
  // anybody can type it
  expect(await trialDays(hers)).toBe(14);
  await recover(stage, "ada@example.com");
  await login(hers, "ada");
  expect(await trialDays(hers)).toBeNull();
  const [{ subscription } = { subscription: "" }] = await atStripeNow(stage);
  await happens(stage, "subscription/cancel", { subscription, at: "now" });
  expect(await tries(stage, hers, { email: "ada@example.com", card: "4444" })).toMatchObject({
    status: "Payment Successful",
    amount: 300,
  });
});

test("at the sale a trial is refused to an account that has confirmed the address of another", async () => {
  await using stage = await openSubscriptionShop(14);
  const hers = await customer(stage);
  await recover(stage, "ada@example.com");
  await login(hers, "ada");
  const session = await checkout(hers);
  expect(await tries(stage, stage.person(), { email: "ada@example.com" })).toMatchObject({
    status: "Payment Successful",
  });
  await happens(stage, "pay", { session, email: "other@example.com", card: "4444" });
  expect((await hers.get(`/api/stripe/verify-payment?session_id=${session}`)).body.data).toMatchObject({
    status: "Payment Failed",
    license_key: null,
  });
});

test("a checkout that sold nothing takes no trial, and one that was sold and revoked does", async () => {
  await using stage = await openSubscriptionShop(14);
  const ada = stage.person();
  const session = await checkout(ada);
  await stage.ctx.store.client.execute("UPDATE payments SET state = 'failed', failure_reason = 'Declined.'");
  expect(await trialDays(ada)).toBe(14);
  await stage.ctx.store.client.execute("UPDATE payments SET state = 'open', failure_reason = NULL");
  await happens(stage, "pay", { session, email: "ada@example.com" });
  await stage.ctx.store.client.execute("UPDATE licences SET revoked_at = 1 WHERE payment_id IS NOT NULL");
  await settleAll(stage);
  expect(await trialDays(ada)).toBeNull();
  expect(await tries(stage, stage.person(), { email: "ada@example.com", card: "4444" })).toMatchObject({
    status: "Payment Failed",
  });
});

test("a trial is given once a bank account that is debited", async () => {
  await using stage = await openSubscriptionShop(14);
  const debit = { outcome: "processing" };
  expect(await tries(stage, stage.person(), { email: "ada@example.com", ...debit })).toMatchObject({
    status: "Payment Successful",
  });
  expect(await tries(stage, stage.person(), { email: "bob@example.com", ...debit })).toMatchObject({
    status: "Payment Failed",
  });
});

test("a database made anew gives the trial to whoever had it first", async () => {
  await using stage = await openSubscriptionShop(14);
  const { session } = await subscriber(stage);
  stage.advance(minute);
  const bob = await buy(stage, stage.person(), { email: "bob@example.com" });
  const forget = (tables: string[]) =>
    stage.ctx.store.client.executeMultiple(
      `PRAGMA foreign_keys = OFF; ${tables.map((table) => `DELETE FROM ${table};`).join(" ")} PRAGMA foreign_keys = ON;`,
    );
  await forget(["subscription_runs", "subscriptions", "licences", "payments"]);
  // the second trial first, by a shop that stops before it has looked at the subscription
  await settle(stage.ctx, stage.shop.checkout, bob);
  await forget(["subscription_runs", "subscriptions"]);
  await settle(stage.ctx, stage.shop.checkout, session);
  await syncSubscriptions(stage.ctx, stage.shop.checkout, { by });
  await settleAll(stage);
  const seen = await stage.person().get(`/api/stripe/verify-payment?session_id=${session}`);
  expect(seen.body.data).toMatchObject({ status: "Payment Successful" });
  expect(await statuses(stage)).toEqual(["canceled", "trialing"]);
});

test("of two trials the one that began first counts, in whatever order the shop hears of them", async () => {
  for (const order of ["in order", "reversed", "at once"]) {
    await using stage = await openSubscriptionShop(14);
    stage.stripe.setWebhookUrl(null);
    const sessions: string[] = [];
    for (const email of ["ada@example.com", "bob@example.com"]) {
      const session = await checkout(stage.person());
      await stage.atStripe("pay", { session, email });
      stage.advance(minute);
      sessions.push(session);
    }
    const [earlier = "", later = ""] = sessions;
    const heard = order === "reversed" ? [later, earlier] : sessions;
    if (order === "at once")
      await Promise.all(heard.map((one) => settle(stage.ctx, stage.shop.checkout, one)));
    else for (const one of heard) await settle(stage.ctx, stage.shop.checkout, one);
    for (const one of sessions) await settle(stage.ctx, stage.shop.checkout, one);
    await settleAll(stage);
    const statusOf = async (session: string) => {
      const { subscription } = await stripeOf(stage).checkout.sessions.retrieve(session);
      return (await stripeOf(stage).subscriptions.retrieve(subscription as string)).status;
    };
    expect([order, await statusOf(earlier), await statusOf(later)]).toEqual([order, "trialing", "canceled"]);
  }
});

test("a guest whose trial was refused subscribes without one in the same browser", async () => {
  await using stage = await openSubscriptionShop(14);
  await subscriber(stage);
  const bob = stage.person();
  const session = await buy(stage, bob, { email: "bob@example.com" });
  const seenBy = async (person: Person) =>
    (await person.get(`/api/stripe/verify-payment?session_id=${session}`)).body.data;
  expect(await seenBy(bob)).toMatchObject({
    status: "Payment Failed",
    message:
      "You can have one free trial, so this one was canceled. Nothing was charged. You can subscribe without a trial.",
    order_again: { offer: "month", quantity: 1, without_trial: true },
  });
  expect(await seenBy(stage.person())).toMatchObject({
    message:
      "You can have one free trial, so this one was canceled. Nothing was charged. To subscribe without one, order again in the browser you used.",
    order_again: null,
  });
  expect(await trialDays(stage.person())).toBe(14);
  expect(await trialDays(bob)).toBeNull();
  expect(await tries(stage, bob, { email: "bob@example.com" })).toMatchObject({
    status: "Payment Successful",
    amount: 300,
  });
});

test("a customer who pays for a subscription keeps it, whichever older trial's key they redeem", async () => {
  await using stage = await openSubscriptionShop(14);
  const bob = stage.person();
  const older = await tries(stage, bob, { email: "bob@example.com", card: "4444" });
  stage.advance(minute);
  const { ada } = await subscriber(stage);
  await pass(stage, 20);
  await ada.post("/api/auth/login", { username: "ada", password });
  const redeemed = await ada.post("/api/licenses/redeem", { key: older.license_key, timezone: "UTC" });
  expect(redeemed.status).toBe(200);
  await pass(stage, 30);
  await settleAll(stage);
  expect(await statuses(stage)).toEqual(["active", "active"]);
  for (const { invoices } of await atStripeNow(stage))
    expect(invoices.map(({ refunded }) => refunded)).toEqual(invoices.map(() => 0));
});
