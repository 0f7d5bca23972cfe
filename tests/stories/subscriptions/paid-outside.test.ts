import { expect, test } from "bun:test";
import { figures } from "@/domain/figures/figures";
import { subscriptionFigures } from "@/domain/figures/subscriptions";
import { operator } from "@/core/base/actor";
import { refundPayment } from "@/domain/payments/corrections/refund-payment";
import { paymentOfSession } from "@/domain/payments/settlement/settle-payment";
import { paymentInLines } from "@/operator/commands/payment-lines";
import { refusalIn } from "@/core/base/refusal";
import type { Person } from "../../support/people/person";
import type { Stage } from "../../support/shop/stage";
import {
  atStripeNow,
  by,
  checkout,
  customer,
  dayOf,
  happens,
  openInvoice,
  openSubscriptionShop,
  subscriberInArrears,
  pass,
  paymentsOf,
  seenBy,
  settleAll,
  stripeOf,
  subscriber,
} from "./subscriber";

test("a renewal that was paid elsewhere has a bill that adds up, a receipt that says so, and no gross", async () => {
  await using stage = await openSubscriptionShop();
  const { ada } = await subscriberInArrears(stage);
  const gross = async () =>
    (await figures(stage.ctx, operator, { from: dayOf(stage, -60), to: dayOf(stage, 0), currency: "usd" }))
      .totals.gross;
  const before = await gross();
  await happens(stage, "invoice/outside", { invoice: await openInvoice(stage) });
  expect(await seenBy(ada)).toMatchObject({ status: "active", licence: { active: true } });
  const [renewal] = await paymentsOf(ada);
  expect(renewal).toMatchObject({
    status: "succeeded",
    bill: { asked: 300, off: 0, tax: 0, credit: 0, outside: 300, paid: 0 },
  });
  expect(await gross()).toBe(before);
  await stage.shop.worker.drain();
  const [mail] = stage.mail
    .messages("ada@example.com")
    .filter(({ subject }) => subject === "Your receipt for A month");
  expect(mail?.text).toContain("Paid elsewhere");
});

const billOf = async (ada: Person) => {
  expect(await seenBy(ada)).toMatchObject({ status: "active", licence: { active: true } });
  return (await paymentsOf(ada))[0].bill;
};

const refund = async (stage: Stage, invoice: string, amount: number | null) => {
  const payment = await paymentOfSession(stage.ctx, invoice);
  if (!payment) throw new Error("no such payment");
  return refundPayment(stage.ctx, stage.shop.checkout, payment, { amount, by });
};

/** What was refunded of each intent of an invoice, the one that Stripe itself made last. */
async function refundedAtStripe(stage: Stage, invoice: string): Promise<number[]> {
  const { data } = await stripeOf(stage).invoicePayments.list({
    invoice,
    expand: ["data.payment.payment_intent.latest_charge"],
  });
  return data.map(({ payment: { payment_intent: intent } }) => {
    if (!intent || typeof intent === "string") throw new Error("no intent");
    return intent.latest_charge && typeof intent.latest_charge !== "string"
      ? intent.latest_charge.amount_refunded
      : 0;
  });
}

test("a renewal that a credit note settled was paid elsewhere", async () => {
  await using stage = await openSubscriptionShop();
  const { ada, invoice } = await subscriberInArrears(stage);
  await happens(stage, "invoice/credit-note", { invoice, amount: 300 });
  expect(await billOf(ada)).toMatchObject({ asked: 300, credit: 0, outside: 300, paid: 0 });
});

test("of a renewal that is paid in part, only what a payment through Stripe paid can be refunded", async () => {
  await using stage = await openSubscriptionShop();
  const { ada, invoice } = await subscriberInArrears(stage);
  await stage.atStripe("invoice/credit-note", { invoice, amount: 50 });
  await stage.atStripe("invoice/part", { invoice, amount: 50, by: "record" });
  await happens(stage, "invoice/pay", { invoice, card: "4242" });
  expect(await billOf(ada)).toMatchObject({ asked: 300, credit: 0, outside: 100, paid: 200 });
  const payment = await paymentOfSession(stage.ctx, invoice);
  const lines = payment ? paymentInLines(payment, [], stage.ctx.now()) : "";
  expect(lines).toMatch(/paid elsewhere +USD 1\.00\npaid +USD 2\.00/);
  const tooMuch = await refund(stage, invoice, 201).catch((error: unknown) => refusalIn(error)?.code);
  expect(tooMuch).toBe("refund_too_large");
  expect((await refund(stage, invoice, null)).refund).toMatchObject({ state: "made", amount: 200 });
  await settleAll(stage);
  expect((await paymentsOf(ada))[0]).toMatchObject({ status: "refunded", bill: { refunded: 200 } });
});

test("a renewal that several payments paid is refunded by as many, and counts as paid until all of it is refunded", async () => {
  await using stage = await openSubscriptionShop();
  const { ada, invoice } = await subscriberInArrears(stage);
  await stage.atStripe("invoice/part", { invoice, amount: 100 });
  await happens(stage, "invoice/pay", { invoice, card: "4242" });
  expect(await billOf(ada)).toMatchObject({ asked: 300, outside: 0, paid: 300 });
  await refund(stage, invoice, 200);
  await settleAll(stage);
  expect(await billOf(ada)).toMatchObject({ refunded: 200 });
  await refund(stage, invoice, 100);
  await settleAll(stage);
  expect(await refundedAtStripe(stage, invoice)).toEqual([100, 200]);
  expect((await paymentsOf(ada))[0]).toMatchObject({ status: "refunded", bill: { refunded: 300 } });
  expect(await seenBy(ada)).toMatchObject({ status: "ended", licence: { active: false } });
});

test("one refund over several payments is made once, also if it is repeated", async () => {
  await using stage = await openSubscriptionShop();
  const { ada, invoice } = await subscriberInArrears(stage);
  await stage.atStripe("invoice/part", { invoice, amount: 150 });
  await happens(stage, "invoice/pay", { invoice, card: "4242" });
  expect(await billOf(ada)).toMatchObject({ paid: 300 });
  for (let time = 0; time < 2; time += 1)
    expect((await refund(stage, invoice, 300)).refund).toMatchObject({ state: "made", amount: 300 });
  expect(await refundedAtStripe(stage, invoice)).toEqual([150, 150]);
  await settleAll(stage);
  expect((await paymentsOf(ada))[0]).toMatchObject({ status: "refunded", bill: { refunded: 300 } });
});

test("a refund that was interrupted between two payments continues", async () => {
  await using stage = await openSubscriptionShop();
  const { invoice } = await subscriberInArrears(stage);
  await stage.atStripe("invoice/part", { invoice, amount: 100 });
  await happens(stage, "invoice/pay", { invoice, card: "4242" });
  const { intentId } = (await paymentOfSession(stage.ctx, invoice)) ?? {};
  const wanted = { intentId: intentId ?? "", request: "one", attempt: 0, keeps: false };
  await stage.shop.checkout.refund({ ...wanted, amount: 200 });
  const done = await stage.shop.checkout.refund({ ...wanted, amount: 300 });
  expect(done).toMatchObject({ amount: 300, isNew: true });
  expect(await stage.shop.checkout.refund({ ...wanted, amount: 300 })).toMatchObject({ isNew: false });
  expect(await refundedAtStripe(stage, invoice)).toEqual([100, 200]);
});

/** Pays a part of an open invoice, and resolves to the intent that did. */
async function payPart(stage: Stage, invoice: string): Promise<string> {
  await stage.atStripe("invoice/part", { invoice, amount: 100 });
  const { data } = await stripeOf(stage).invoicePayments.list({ invoice, status: "paid" });
  const intent = data[0]?.payment.payment_intent;
  if (typeof intent !== "string") throw new Error("no intent");
  return intent;
}

const moneyBack = {
  refund: { bill: { refunded: 100 } },
  dispute: { status: "disputed" },
};

test.each(["refund", "dispute"] as const)("a %s of any of a renewal's payments is heard", async (what) => {
  await using stage = await openSubscriptionShop();
  const { ada, invoice } = await subscriberInArrears(stage);
  const session = await payPart(stage, invoice);
  await happens(stage, "invoice/pay", { invoice, card: "4242" });
  expect(await billOf(ada)).toMatchObject({ outside: 0, paid: 300, refunded: 0 });
  await happens(stage, what, { session });
  expect((await paymentsOf(ada))[0]).toMatchObject(moneyBack[what]);
});

test.each(["refund", "dispute"] as const)(
  "a %s of any of a first invoice's payments is heard",
  async (what) => {
    await using stage = await openSubscriptionShop();
    const ada = await customer(stage);
    const session = await checkout(ada);
    await stage.atStripe("pay", { session, email: "ada@example.com", outcome: "voucher" });
    const invoice = (await atStripeNow(stage))[0]?.invoices[0]?.invoice ?? "";
    const part = await payPart(stage, invoice);
    await happens(stage, "settle", { session, outcome: "succeed" });
    expect(await billOf(ada)).toMatchObject({ asked: 300, outside: 0, paid: 300 });
    await happens(stage, what, { session: part });
    expect((await paymentsOf(ada))[0]).toMatchObject(moneyBack[what]);
  },
);

test("a trial whose first charge was paid elsewhere became paid", async () => {
  await using stage = await openSubscriptionShop(7);
  const { ada, subscription } = await subscriber(stage);
  await stage.atStripe("card/mood", { subscription, mood: "declines" });
  await pass(stage, 8);
  await settleAll(stage);
  await happens(stage, "invoice/outside", { invoice: await openInvoice(stage) });
  expect(await billOf(ada)).toMatchObject({ outside: 300, paid: 0 });
  const range = { from: dayOf(stage, -30), to: dayOf(stage, 0) };
  expect(await subscriptionFigures(stage.ctx, operator, range)).toMatchObject({
    started: 1,
    trials: { begun: 1, paid: 1 },
  });
});
