import { expect, test } from "bun:test";
import { day } from "@/contract/vocabulary/time";
import { addOffer } from "@/domain/offers/change";
import { reconcilePayments } from "@/domain/payments/reconcile/reconcile-payments";
import { settle } from "@/domain/payments/settlement/settle";
import { type Stage, openStage } from "../../support/shop/stage";
import { eachIn, standBetween } from "../../support/stripe/between";
import type { Person } from "../../support/people/person";
import {
  buy,
  by,
  checkout,
  customer,
  happens,
  openInvoice,
  openSubscriptionShop,
  pass,
  password,
  paymentOf,
  seenBy,
  settleAll,
} from "../subscriptions/subscriber";

const ways = { "bank debit": "processing", voucher: "voucher", transfer: "transfer", deposits: "deposits" };

async function openDaysShop(webhooks = true): Promise<{ stage: Stage; ada: Person }> {
  const stage = await openStage({ webhooks });
  await addOffer(stage.ctx, { id: "days", name: "30 days", amount: 500, days: 30 }, by);
  return { stage, ada: await customer(stage) };
}

const take = (stage: Stage, session: string, outcome: string) =>
  stage.atStripe("pay", { session, outcome, email: "ada@example.com" });

const page = async (person: Person, session: string) =>
  (await person.get(`/api/stripe/verify-payment?session_id=${session}`)).body.data;

for (const [way, outcome] of Object.entries(ways)) {
  test(`an order by ${way} is pending until it is paid, and offers no second order meanwhile`, async () => {
    const { stage, ada } = await openDaysShop();
    await using _ = stage;
    const session = await checkout(ada, "days");
    await take(stage, session, outcome);
    await settleAll(stage);
    expect(await page(ada, session)).toMatchObject({
      status: "Payment Pending",
      license_key: null,
      order_again: null,
    });
    stage.advance(2 * day);
    await happens(stage, "settle", { session, outcome: "succeed" });
    expect(await page(ada, session)).toMatchObject({ status: "Payment Successful" });
  });
}

test("an order whose money arrived, which its session doesn't say yet, has not failed", async () => {
  await using between = standBetween();
  await using stage = await openStage({ env: between.env });
  let lags = false;
  between.begin(stage.stripe.url, (_, answer) =>
    eachIn(answer, "checkout.session", (one) => {
      if (lags) one.payment_status = "unpaid";
    }),
  );
  await addOffer(stage.ctx, { id: "days", name: "30 days", amount: 500, days: 30 }, by);
  const ada = await customer(stage);
  const session = await checkout(ada, "days");
  await take(stage, session, "processing");
  await settleAll(stage);
  lags = true;
  stage.stripe.setWebhookUrl(null);
  await stage.atStripe("settle", { session, outcome: "succeed" });
  expect(await page(ada, session)).toMatchObject({ status: "Payment Pending", order_again: null });
  await stage.shop.worker.drain();
  lags = false;
  expect(await page(ada, session)).toMatchObject({ status: "Payment Successful" });
  const notified = stage.mail.messages("ada@example.com").map(({ subject }) => subject);
  expect(notified).not.toContainEqual(expect.stringContaining("failed"));
});

test("an order by voucher that nobody paid in time has failed, is notified once, and may be ordered again", async () => {
  const { stage, ada } = await openDaysShop();
  await using _ = stage;
  const session = await checkout(ada, "days");
  await take(stage, session, "voucher");
  await settleAll(stage);
  stage.advance(4 * day);
  await stage.atStripe("settle", { session, outcome: "fail" });
  for (let look = 0; look < 3; look += 1) {
    await settleAll(stage);
    expect(await page(ada, session)).toMatchObject({
      status: "Payment Failed",
      order_again: { offer: "days", quantity: 1 },
    });
  }
  const told = stage.mail.messages("ada@example.com").filter(({ text }) => text?.includes(session));
  expect(told.map(({ subject }) => subject)).toEqual([expect.stringContaining("failed")]);
});

test("a voucher that is paid on the fourth day is found, with every webhook lost", async () => {
  const { stage, ada } = await openDaysShop(false);
  await using _ = stage;
  const session = await checkout(ada, "days");
  await take(stage, session, "voucher");
  expect(await page(ada, session)).toMatchObject({ status: "Payment Pending" });
  for (let time = 0; time < 4; time += 1) {
    stage.advance(day);
    await reconcilePayments(stage.ctx, stage.shop.checkout);
  }
  await stage.atStripe("settle", { session, outcome: "succeed" });
  stage.advance(day);
  await reconcilePayments(stage.ctx, stage.shop.checkout);
  const { rows } = await stage.ctx.store.client.execute("SELECT state FROM payments");
  expect(rows.map(({ state }) => state)).toEqual(["succeeded"]);
});

test("while a renewal's voucher may still be paid the grace period continues, and one that lapsed is past due", async () => {
  await using stage = await openSubscriptionShop();
  const ada = await customer(stage);
  const session = await buy(stage, ada, { outcome: "voucher" });
  await happens(stage, "settle", { session, outcome: "succeed" });
  await pass(stage, 36);
  expect(await seenBy(ada)).toMatchObject({ licence: { active: true } });
  await happens(stage, "invoice/settle", { invoice: await openInvoice(stage), outcome: "fail" });
  expect(await seenBy(ada)).toMatchObject({ status: "past_due", licence: { active: false } });
});

test("a debit that is on its way or fails brings no erased buyer's address back; one that is paid has it, for the key", async () => {
  for (const outcome of ["fail", "succeed"]) {
    const { stage, ada } = await openDaysShop();
    await using _ = stage;
    const session = await checkout(ada, "days");
    await happens(stage, "pay", { session, outcome: "processing", email: "ada@example.com" });
    expect((await ada.post("/api/user/delete", { password })).status).toBe(200);
    const email = async () => (await paymentOf(stage, session)).email;
    await settle(stage.ctx, stage.shop.checkout, session);
    expect(await email()).toBeNull();
    await happens(stage, "settle", { session, outcome });
    expect([outcome, await email()]).toEqual([outcome, outcome === "fail" ? null : "ada@example.com"]);
  }
});
