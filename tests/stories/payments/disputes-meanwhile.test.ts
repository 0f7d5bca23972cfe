import { expect, test } from "bun:test";
import { minute } from "@/contract/vocabulary/time";
import { operator } from "@/core/base/actor";
import { acceptDispute, contestDispute } from "@/domain/payments/evidence/evidence";
import { checkoutOfCopy } from "@/domain/payments/port/checkout-of-copy";
import { paymentNamed } from "@/domain/payments/reading/find";
import { atDesk } from "../../support/people/desk";
import { operated } from "../../support/operator/run-operator";
import { eventually, openStage, type Stage } from "../../support/shop/stage";
import { happens, openSubscriptionShop, stripeOf, subscriberInArrears } from "../subscriptions/subscriber";

const by = { actor: operator, reason: "a story" };

/** What the log says of answers to disputes. */
async function answersLogged(stage: Stage): Promise<string[]> {
  const entries: { action: string }[] = await operated(stage, "audit", "show");
  return entries
    .map(({ action }) => action)
    .filter((action) => action === "payment.contested" || action === "payment.dispute_accepted");
}

async function disputed(stage: Stage, status = "needs_response") {
  const { sessionId } = await stage.buy("banker@example.com");
  await stage.stripeTells("dispute", { session: sessionId, status });
  return paymentNamed(stage.ctx, sessionId);
}

const statuses = ({ stripe }: Stage) => stripe.ledger.disputes.all().map(({ status }) => status);

/** A renewal that two payments paid, both of which the bank disputes. */
async function disputedTwice() {
  const stage = await openSubscriptionShop();
  const { invoice } = await subscriberInArrears(stage);
  await stage.atStripe("invoice/part", { invoice, amount: 100 });
  const { data } = await stripeOf(stage).invoicePayments.list({ invoice, status: "paid" });
  const part = data[0]?.payment.payment_intent;
  await happens(stage, "invoice/pay", { invoice, card: "4242" });
  await happens(stage, "dispute", { session: part });
  stage.advance(minute);
  await happens(stage, "dispute", { session: invoice });
  return { stage, sale: await paymentNamed(stage.ctx, invoice) };
}

test("a restored copy neither contests nor accepts a dispute at Stripe", async () => {
  await using stage = await openStage();
  const sale = await disputed(stage);
  const copy = checkoutOfCopy(stage.shop.checkout);
  for (const answer of [acceptDispute, contestDispute])
    expect(await answer(stage.ctx, copy, sale, by).catch((error: unknown) => error)).toMatchObject({
      code: "copy",
    });
  expect(statuses(stage)).toEqual(["needs_response"]);
});

test("of two disputes of which Stripe takes one answer and then is away, the log has who gave it", async () => {
  const { stage, sale } = await disputedTwice();
  await using _ = stage;
  // Stripe lists the newest first
  const [last] = stage.stripe.ledger.disputes.all();
  await stage.atStripe("faults", {
    api: { next: [{ fail: 500, count: 2, method: "POST", path: `/v1/disputes/${last?.id}` }] },
  });
  const contest = () => contestDispute(stage.ctx, stage.shop.checkout, sale, by);
  expect(await contest().catch((error: unknown) => error)).toMatchObject({ name: "CheckoutFailing" });
  expect(statuses(stage)).toEqual(["needs_response", "under_review"]);
  expect(await answersLogged(stage)).toEqual(["payment.contested"]);
  expect(await contest()).toBe(1);
  expect(statuses(stage)).toEqual(["under_review", "under_review"]);
});

test("of two disputes the one is accepted that staff saw, and then the other", async () => {
  const { stage, sale } = await disputedTwice();
  await using _ = stage;
  const { disputeAmount: seen } = (await paymentNamed(stage.ctx, sale.payment.sessionId)).payment;
  const accept = () => acceptDispute(stage.ctx, stage.shop.checkout, sale, by);
  await accept();
  const open = () => stage.stripe.ledger.disputes.all().filter(({ status }) => status !== "lost");
  expect(open().map(({ amount }) => amount)).toEqual([300 - (seen ?? 0)]);
  expect((await paymentNamed(stage.ctx, sale.payment.sessionId)).payment).toMatchObject({
    disputeAmount: 300 - (seen ?? 0),
    disputeAnswerBy: expect.any(Date),
  });
  await accept();
  expect(open()).toEqual([]);
  expect(await accept().catch((error: unknown) => error)).toMatchObject({ code: "dispute_answered" });
});

test("an answer that Stripe took while the line was lost is in the log", async () => {
  await using stage = await openStage();
  const sale = await disputed(stage);
  await stage.atStripe("faults", {
    api: { next: [{ fail: "drop", count: 2, when: "after", method: "POST", path: "/close" }] },
  });
  await acceptDispute(stage.ctx, stage.shop.checkout, sale, by);
  expect([statuses(stage), await answersLogged(stage)]).toEqual([["lost"], ["payment.dispute_accepted"]]);
});

test("an answer that Stripe took is no failure because Stripe is away afterwards", async () => {
  await using stage = await openStage();
  const sale = await disputed(stage);
  await stage.atStripe("faults", {
    api: { next: [{ fail: 503, count: 2, method: "GET", path: "/v1/checkout/sessions" }] },
  });
  expect(await contestDispute(stage.ctx, stage.shop.checkout, sale, by)).toBe(1);
  expect(await answersLogged(stage)).toEqual(["payment.contested"]);
  await stage.stripe.flush();
  const { payment } = await paymentNamed(stage.ctx, sale.payment.sessionId);
  expect(payment).toMatchObject({ disputeStatus: "under_review", disputeAnswerBy: null });
});

test("of two owners who contest at once one does, and the other reads why not", async () => {
  await using stage = await openStage();
  const sale = await disputed(stage);
  const contest = () =>
    contestDispute(stage.ctx, stage.shop.checkout, sale, by).catch((error: unknown) => error);
  const results = await Promise.all([contest(), contest()]);
  expect(results.filter((one) => one === 1)).toHaveLength(1);
  expect(await answersLogged(stage)).toEqual(["payment.contested"]);
});

test("evidence that somebody prepared in Stripe's dashboard is neither replaced nor sent unread", async () => {
  await using stage = await openStage();
  const sale = await disputed(stage);
  const [dispute] = stage.stripe.ledger.disputes.newest();
  const evidence = {
    product_description: "As we told the bank by phone",
    uncategorized_text: "See the file",
  };
  await stripeOf(stage).disputes.update(dispute?.id ?? "", { evidence, submit: false });
  const refused = await contestDispute(stage.ctx, stage.shop.checkout, sale, by).catch(
    (error: unknown) => error,
  );
  expect(refused).toMatchObject({ name: "CheckoutRefused", message: expect.stringContaining("dashboard") });
  expect(stage.stripe.ledger.disputes.newest()[0]).toMatchObject({ status: "needs_response", evidence });
  expect(await answersLogged(stage)).toEqual([]);
  // to give in needs no evidence
  await acceptDispute(stage.ctx, stage.shop.checkout, sale, by);
  expect(statuses(stage)).toEqual(["lost"]);
});

test("a new dispute of a payment that has lost one asks for attention, and owners are told", async () => {
  await using stage = await openStage();
  const vera = await atDesk(stage, "vera", "viewer");
  const { payment } = await disputed(stage);
  const session = payment.sessionId;
  const lines = async () =>
    ((await vera.get("attention")).body.data as { kind: string; count: number; due: string | null }[]).filter(
      ({ kind }) => kind === "disputes",
    );
  await stage.stripeTells("dispute", { session, status: "lost" });
  expect(await lines()).toEqual([]);
  await stage.stripeTells("dispute", { session, status: "needs_response" });
  expect(await lines()).toMatchObject([{ count: 1, due: expect.any(String) }]);
  const told = await eventually(
    () =>
      stage.lines
        .map((line): Record<string, unknown> => JSON.parse(line))
        .filter(({ message, kind }) => message === "staff notice" && kind === "dispute")
        .map(({ reason }) => reason),
    ({ length }) => length === 3,
    20_000,
  );
  expect(told).toEqual(["dispute needs_response", "dispute lost", "dispute needs_response"]);
});

test("an inquiry that becomes a dispute while its evidence is read is contested as a dispute", async () => {
  await using stage = await openStage();
  const sale = await disputed(stage, "warning_needs_response");
  const session = sale.payment.sessionId;
  await stage.atStripe("dispute", { session, status: "needs_response" });
  expect(await contestDispute(stage.ctx, stage.shop.checkout, sale, by)).toBe(1);
  expect(statuses(stage)).toEqual(["under_review"]);
  // nothing waits while Stripe decides, nor for an appeal, which is answered in the dashboard
  for (const status of ["lost", "appeal_needs_response"]) {
    for (const answer of [contestDispute, acceptDispute])
      expect(
        await answer(stage.ctx, stage.shop.checkout, sale, by).catch((error: unknown) => error),
      ).toMatchObject({ code: "dispute_answered" });
    await stage.stripeTells("dispute", { session, status });
  }
});

test("an answered inquiry that becomes a dispute can be contested, though it has evidence", async () => {
  await using stage = await openStage();
  const sale = await disputed(stage, "warning_needs_response");
  const contest = () => contestDispute(stage.ctx, stage.shop.checkout, sale, by);
  expect(await contest()).toBe(1);
  expect(statuses(stage)).toEqual(["warning_under_review"]);
  await stage.stripeTells("dispute", { session: sale.payment.sessionId, status: "needs_response" });
  expect(await contest()).toBe(1);
  expect(statuses(stage)).toEqual(["under_review"]);
});
