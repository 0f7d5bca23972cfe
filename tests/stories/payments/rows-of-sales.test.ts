import { expect, test } from "bun:test";
import { day, minute } from "@/contract/vocabulary/time";
import { movementsOf, taxFactsOf } from "@/domain/payments/books/tax-facts";
import { syncPayment } from "@/domain/payments/corrections/sync";
import { paymentNamed } from "@/domain/payments/reading/find";
import { addUpSales } from "@/domain/staff-queries/sales";
import { openStage } from "../../support/shop/stage";
import {
  by,
  checkout,
  happens,
  openSubscriptionShop,
  pass,
  paymentOf,
  settleAll,
  subscriberInArrears,
} from "../subscriptions/subscriber";
import { allRows, monthOf, read, rowsOf } from "./books";

test("of a sale that was paid in part elsewhere, price and tax stand in one row", async () => {
  await using stage = await openSubscriptionShop();
  const begun = stage.ctx.now();
  const { invoice } = await subscriberInArrears(stage);
  await stage.atStripe("invoice/part", { invoice, amount: 50, by: "record" });
  await happens(stage, "invoice/pay", { invoice, card: "4242" });
  await read(stage);
  const { id } = await paymentOf(stage, invoice);
  const rows = (await allRows(stage, begun)).filter(({ payment }) => payment === id);
  expect(rows.map(({ kind, price }) => [kind, price])).toEqual([
    ["charge", "3.00"],
    ["outside Stripe", ""],
  ]);
});

test("a debit that fails was no sale: its price and its tax are in no column", async () => {
  await using stage = await openStage({ env: { TAX: "stripe" } });
  await stage.atStripe("tax", { percent: 19, within: true });
  const begun = stage.ctx.now();
  const session = await checkout(stage.person(), "premium");
  await happens(stage, "pay", { session, outcome: "processing" });
  await read(stage);
  stage.advance(4 * day);
  await happens(stage, "settle", { session, outcome: "fail" });
  await read(stage);
  const rows = await allRows(stage, begun);
  expect(rows.map(({ kind, price, tax }) => [kind, price, tax])).toEqual([
    ["charge", "", ""],
    ["charge_failure", "", ""],
  ]);
});

test("the country is that of the card that paid, not of one that was declined before", async () => {
  await using stage = await openStage();
  const session = await checkout(stage.person(), "premium");
  await stage.atStripe("pay", { session, outcome: "declined", country: "US" });
  await syncPayment(stage.ctx, stage.shop.checkout, await paymentOf(stage, session), by);
  await stage.atStripe("pay", { session, country: "DE" });
  await settleAll(stage);
  expect(await paymentOf(stage, session)).toMatchObject({ state: "succeeded", buyerCountry: "DE" });
});

test("a month says so while earlier payments lack what Stripe holds of them", async () => {
  await using stage = await openStage();
  await stage.buy("buyer@example.com");
  await settleAll(stage);
  const { client } = stage.ctx.store;
  // as an earlier release left it
  await client.execute("UPDATE payments SET buyer_country = NULL, charge_id = NULL");
  await stage.atStripe("refuse", { path: "/v1/charges", as: "permission" });
  await read(stage);
  const month = monthOf(stage.ctx.now());
  expect(await rowsOf(stage, month)).toMatchObject([{ kind: "charge", payment: "" }]);
  const { notes } = await addUpSales(stage.ctx, month, by);
  expect(notes.at(-1)).toContain("earlier");
  await stage.atStripe("refuse", { path: "/v1/charges", as: null });
  await read(stage);
  expect((await addUpSales(stage.ctx, month, by)).notes).toEqual(["The month isn't over."]);
  expect(await rowsOf(stage, month)).toMatchObject([{ payment: expect.stringMatching(/./) }]);
});

test("an earlier payment gets the address that Stripe asked for, not that of the card", async () => {
  await using stage = await openStage();
  const session = await checkout(stage.person(), "premium");
  await happens(stage, "pay", { session, country: "DE" });
  const { charges } = stage.stripe.ledger;
  const [charge] = charges.all();
  if (!charge) throw new Error("nothing was paid");
  const billing_details = { address: { country: "US" }, email: null, name: null };
  const billedElsewhere = { ...charge, billing_details };
  charges.replace(charge.id, billedElsewhere);
  await stage.ctx.store.client.execute("UPDATE payments SET buyer_country = NULL, charge_id = NULL");
  await read(stage);
  expect(await paymentOf(stage, session)).toMatchObject({ buyerCountry: "DE", chargeId: charge.id });
});

test("where the balance has another currency, amounts, fees and sums are in that, and prices in the sale's", async () => {
  await using stage = await openStage();
  await stage.buy("usd@example.com");
  await stage.atStripe("settlement", { currency: "eur", rate: 0.9 });
  const session = await checkout(stage.person(), "premium");
  await happens(stage, "pay", { session });
  stage.advance(minute);
  await happens(stage, "refund", { session, amount: 100 });
  stage.advance(day);
  await happens(stage, "dispute", { session });
  await read(stage);
  const month = monthOf(stage.ctx.now());
  const rows = (await allRows(stage, new Date(stage.ctx.now().getTime() - day))).filter(
    ({ currency }) => currency === "EUR",
  );
  expect(rows.map(({ kind, amount, stripe_fee: fee, price }) => [kind, amount, fee, price])).toEqual([
    ["charge", "4.50", "0.41", "5.00"],
    ["refund", "-0.90", "0.00", ""],
    ["dispute", "-3.60", "13.50", ""],
  ]);
  expect(rows.map((row) => row["sale_currency"])).toEqual(["USD", "USD", "USD"]);
  const { payment, ...rest } = await paymentNamed(stage.ctx, session);
  expect([payment.disputeAmount, payment.disputeCurrency, rest.licences.length]).toEqual([400, "usd", 1]);
  const facts = taxFactsOf(payment, await movementsOf(stage.ctx, [payment]));
  expect(facts.fee).toEqual({ amount: 41, currency: "eur" });
  const { sums } = await addUpSales(stage.ctx, month, by);
  for (const { currency } of sums) expect(["usd", "eur"]).toContain(currency);
});

test("whatever a bank, a buyer and the dashboard do to a sale, each of its rows names it, and the sums are Stripe's", async () => {
  await using stage = await openSubscriptionShop(null, { TIME_ZONE: "America/St_Johns" });
  const begun = stage.ctx.now();
  const sells = async (how: object = {}) => {
    const session = await checkout(stage.person(), "premium");
    await happens(stage, "pay", { session, ...how });
    stage.advance(day);
    return session;
  };
  const dispute = (session: string, ...statuses: string[]) =>
    statuses.reduce(async (before, status) => {
      await before;
      stage.advance(3 * day);
      await happens(stage, "dispute", { session, status });
    }, Promise.resolve());
  const overturned = await sells();
  await dispute(overturned, "needs_response", "under_review", "won", "lost", "appeal_needs_response", "won");
  const asked = await sells();
  await dispute(asked, "warning_needs_response", "warning_under_review", "needs_response", "lost");
  const debit = await sells({ outcome: "processing" });
  await happens(stage, "settle", { session: debit, outcome: "succeed" });
  const back = await happens(stage, "refund", { session: debit, amount: 200, status: "pending" });
  await pass(stage, 5);
  await happens(stage, "refund/move", { refund: back.id, status: "failed" });
  await happens(stage, "refund", { session: debit });
  const partly = await sells();
  await happens(stage, "refund", { session: partly, amount: 120 });
  await dispute(partly, "needs_response", "lost");
  await dispute(partly, "needs_response", "won");
  const closed = await sells();
  const whole = await happens(stage, "refund", { session: closed, status: "pending" });
  await pass(stage, 5);
  await happens(stage, "refund/move", { refund: whole.id, status: "failed" });
  await dispute(closed, "needs_response", "lost");
  await read(stage);

  const rows = await allRows(stage, begun);
  const kindsOf = async (session: string) => {
    const { id } = await paymentOf(stage, session);
    return rows.filter(({ payment }) => payment === id).map(({ kind }) => kind);
  };
  const [taken, returned] = ["dispute", "dispute_reversal"];
  expect(await kindsOf(overturned)).toEqual(["charge", taken, returned, taken, returned]);
  expect(await kindsOf(asked)).toEqual(["charge", taken]);
  expect(await kindsOf(debit)).toEqual(["charge", "refund", "refund_failure", "refund"]);
  expect(await kindsOf(partly)).toEqual(["charge", "refund", taken, taken, returned]);
  expect(await kindsOf(closed)).toEqual(["charge", "refund", "refund_failure", taken]);
  const held = stage.stripe.ledger.balanceTransactions.all();
  expect(rows).toHaveLength(held.length);
  const sum = (numbers: number[]) => numbers.reduce((one, other) => one + other, 0);
  expect(sum(rows.map(({ net }) => Math.round(Number(net) * 100)))).toBe(sum(held.map(({ net }) => net)));
});
