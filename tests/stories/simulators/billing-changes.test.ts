import { expect, test } from "bun:test";
import { idOf, inSeconds, prices, refusal, startBilling } from "../../support/stripe/billing";

test("a subscription cancelled at once can't be cancelled again, and is listed only when asked for", async () => {
  await using billing = await startBilling();
  const { stripe } = billing;
  const { subscription: id, customer } = await billing.bought();
  const other = await billing.bought();
  expect(await stripe.subscriptions.cancel(id)).toMatchObject({
    status: "canceled",
    ended_at: inSeconds("2026-01-31"),
  });
  expect(await refusal(stripe.subscriptions.cancel(id))).toMatchObject({
    statusCode: 404,
    code: "resource_missing",
  });
  expect(await refusal(stripe.subscriptions.update(id, { cancel_at_period_end: true }))).toMatchObject({
    code: "invalid_canceled_subscription_fields",
  });
  expect((await stripe.subscriptions.list()).data.map((one) => one.id)).toEqual([other.subscription]);
  expect((await stripe.subscriptions.list({ status: "all", limit: 1 })).has_more).toBe(true);
  expect((await stripe.subscriptions.list({ status: "canceled", customer })).data).toHaveLength(1);
});

test("moving one customer's clock leaves everyone else's where it is", async () => {
  await using billing = await startBilling();
  const [one, other] = [await billing.bought(), await billing.bought()];
  await billing.control("advance", { subscription: one.subscription, months: 3 });
  expect(await billing.invoices(one.subscription)).toHaveLength(4);
  expect(await billing.invoices(other.subscription)).toHaveLength(1);
  expect((await billing.subscription(one.subscription)).test_clock).toStartWith("clock_");
  // what happens ahead of time is told now
  expect((await billing.newest("invoice.paid")).created).toBe(inSeconds("2026-01-31"));
});

test("a voided invoice gives its credit back, and its payment is over", async () => {
  await using billing = await startBilling();
  const { stripe } = billing;
  const { subscription: id, customer } = await billing.bought();
  await billing.control("customer/balance", { customer, balance: -300 });
  await billing.control("card/mood", { subscription: id, mood: "declines" });
  billing.pass(29);
  const [open] = await billing.invoices(id);
  expect(await stripe.customers.retrieve(customer)).toMatchObject({ balance: 0 });
  await stripe.invoices.voidInvoice(open!.id);
  expect(await stripe.customers.retrieve(customer)).toMatchObject({ balance: -300 });
  const { data } = await stripe.invoicePayments.list({
    invoice: open!.id,
    expand: ["data.payment.payment_intent"],
  });
  expect(data).toMatchObject([{ status: "canceled", payment: { payment_intent: { status: "canceled" } } }]);
  // the newest invoice is settled, so the subscription is in order again
  expect((await billing.subscription(id)).status).toBe("active");
});

test("an invoice whose bank debit is processing can't be paid a second time", async () => {
  await using billing = await startBilling();
  const { stripe } = billing;
  const { session } = await billing.bought({}, { outcome: "processing" });
  const invoice = idOf(session.invoice);
  expect((await refusal(stripe.invoices.pay(invoice))).code).toBe("payment_intent_unexpected_state");
  expect(billing.control("invoice/pay", { invoice })).rejects.toThrow("waits for a bank");
  await billing.control("settle", { session: session.id, outcome: "succeed" });
  expect((await refusal(stripe.invoices.pay(invoice))).message).toContain("already paid");
});

test("a key of the other mode sees none of this mode's prices and subscriptions", async () => {
  await using billing = await startBilling();
  await billing.bought();
  await billing.control("keys", { key: "sk_live_other" });
  const live = billing.client("sk_live_other");
  expect((await live.subscriptions.list({ status: "all" })).data).toEqual([]);
  expect((await live.prices.list({ lookup_keys: ["month"] })).data).toEqual([]);
  expect((await prices(live)).month.livemode).toBe(true);
  expect((await billing.stripe.subscriptions.list()).data[0]?.livemode).toBe(false);
});
