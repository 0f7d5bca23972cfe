import { expect, test } from "bun:test";
import { idOf, inSeconds, refusal, startBilling } from "../../support/stripe/billing";

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
