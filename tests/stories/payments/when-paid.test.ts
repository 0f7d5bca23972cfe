import { expect, test } from "bun:test";
import { day, hour } from "@/contract/vocabulary/time";
import { addOffer } from "@/domain/offers/change";
import { reconcilePayments } from "@/domain/payments/reconcile/reconcile-payments";
import { operated } from "../../support/operator/run-operator";
import { openStage, type Stage } from "../../support/shop/stage";
import { eachIn, standBetween } from "../../support/stripe/between";
import { by, checkout, password, settleAll, stripeOf } from "../subscriptions/subscriber";

async function openDaysShop(webhooks = true): Promise<Stage> {
  const stage = await openStage({ webhooks });
  await addOffer(stage.ctx, { id: "days", name: "30 days", amount: 500, days: 30 }, by);
  return stage;
}

/** When the licence that was bought ends, and when its order was paid. */
async function bought(stage: Stage, session: string) {
  const { rows } = await stage.ctx.store.client.execute({
    sql: "SELECT expires_at, paid_at FROM licences JOIN payments ON payments.id = payment_id WHERE session_id = ?",
    args: [session],
  });
  return { ends: Number(rows[0]?.["expires_at"]), paid: Number(rows[0]?.["paid_at"]) };
}

test("thirty days by bank debit begin when it arrived, whether or not the shop looked while it was on its way", async () => {
  await using stage = await openDaysShop();
  const sessions: string[] = [];
  for (const name of ["ada", "bob"]) {
    const person = stage.person();
    await person.register(await stage.handOut(1), name, password);
    const session = await checkout(person, "days");
    if (name === "bob") stage.stripe.setWebhookUrl(null);
    await stage.stripeTells("pay", { session, outcome: "processing", email: `${name}@example.com` });
    sessions.push(session);
  }
  stage.advance(6 * day);
  for (const session of sessions) await stage.atStripe("settle", { session, outcome: "succeed" });
  const arrivals = await stripeOf(stage).events.list({ type: "checkout.session.async_payment_succeeded" });
  await reconcilePayments(stage.ctx, stage.shop.checkout, { lists: "now" });
  stage.advance(day);
  for (const [at, session] of sessions.toReversed().entries()) {
    const paid = (arrivals.data[at]?.created ?? 0) * 1000;
    expect(await bought(stage, session)).toEqual({ paid, ends: paid + 30 * day });
  }
});

test("a free order's days begin a day after its checkout was opened, whenever the shop heard of it, and entitle at once", async () => {
  await using stage = await openDaysShop(false);
  await operated(stage, "codes", "create", "FREE", "--percent", "100", "--reason", "a story");
  const ada = stage.person();
  await ada.register(await stage.handOut(1), "ada", password);
  const session = await checkout(ada, "days", "FREE");
  const opened = (await stripeOf(stage).checkout.sessions.retrieve(session)).created * 1000;
  await stage.atStripe("pay", { session, email: "ada@example.com" });
  await ada.get(`/api/stripe/verify-payment?session_id=${session}`);
  const held = await bought(stage, session);
  expect(held.paid).toBe(opened);
  // a day's key that she registered with runs out some milliseconds later
  expect(Math.floor((held.ends - opened) / 1000)).toBe((31 * day) / 1000);
  expect((await ada.get("/api/user/me")).body.data).toMatchObject({ active_license: true });
  stage.advance(5 * day);
  for (const table of ["licences WHERE payment_id IS NOT NULL", "payments"])
    await stage.ctx.store.client.execute(`DELETE FROM ${table}`);
  await reconcilePayments(stage.ctx, stage.shop.checkout, { lists: "now" });
  expect(await bought(stage, session)).toEqual(held);
});

test.each([
  ["has yet to list", null],
  ["refuses to list", { fail: 402, count: 100, path: "/v1/events", method: "GET" }],
])("a debit that arrived a moment ago, whose event Stripe %s, arrived now", async (_, fault) => {
  await using between = standBetween();
  await using stage = await openStage({ env: between.env });
  let lags = false;
  between.begin(stage.stripe.url, ({ path }, answer) => {
    if (lags && path === "/v1/events") answer.data = [];
    eachIn(answer, "charge", (charge) => {
      if (lags) charge.balance_transaction = null;
    });
  });
  await addOffer(stage.ctx, { id: "days", name: "30 days", amount: 500, days: 30 }, by);
  const ada = stage.person();
  await ada.register(await stage.handOut(1), "ada", password);
  const session = await checkout(ada, "days");
  await stage.stripeTells("pay", { session, outcome: "processing", email: "ada@example.com" });
  stage.advance(6 * day);
  lags = true;
  if (fault) await stage.atStripe("faults", { api: { next: [fault] } });
  await stage.atStripe("settle", { session, outcome: "succeed" });
  await settleAll(stage);
  lags = false;
  const { paid, ends } = await bought(stage, session);
  expect(Math.abs(paid - stage.ctx.now().getTime())).toBeLessThan(hour);
  expect(ends - paid).toBe(30 * day);
  stage.advance(day);
  await reconcilePayments(stage.ctx, stage.shop.checkout, { lists: "now" });
  expect(await bought(stage, session)).toEqual({ paid, ends });
});
