import { expect, test } from "bun:test";
import { idOf, inSeconds, prices, refusal, startBilling } from "../../support/stripe/billing";

test("a subscription cancelled at the period's end runs until then, and can be resumed before", async () => {
  await using billing = await startBilling();
  const { stripe } = billing;
  const { subscription: id } = await billing.bought();
  const ending = await stripe.subscriptions.update(id, { cancel_at_period_end: true });
  expect(ending).toMatchObject({
    status: "active",
    cancel_at: inSeconds("2026-02-28"),
    canceled_at: inSeconds("2026-01-31"),
    cancellation_details: { reason: "cancellation_requested" },
  });
  expect((await refusal(stripe.invoices.createPreview({ subscription: id }))).code).toBe(
    "invoice_upcoming_none",
  );
  const again = await stripe.subscriptions.update(id, { cancel_at_period_end: false });
  expect(again).toMatchObject({ cancel_at: null, canceled_at: null });
  await stripe.subscriptions.update(id, { cancel_at: inSeconds("2026-02-20") });
  billing.pass(29);
  expect(await billing.subscription(id)).toMatchObject({
    status: "canceled",
    ended_at: inSeconds("2026-02-20"),
  });
  expect(await billing.invoices(id)).toHaveLength(1);
  expect(await billing.events("customer.subscription.deleted")).toHaveLength(1);
});

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

test("cancelling leaves an invoice open, which is no longer collected and can be voided", async () => {
  await using billing = await startBilling();
  const { stripe } = billing;
  const { subscription: id } = await billing.bought();
  await billing.control("card/mood", { subscription: id, mood: "declines" });
  billing.pass(29);
  await stripe.subscriptions.cancel(id);
  const [open] = await billing.invoices(id);
  expect(open).toMatchObject({ status: "open", auto_advance: false, next_payment_attempt: null });
  expect((await stripe.invoices.voidInvoice(open!.id)).status as string).toBe("void");
  expect((await refusal(stripe.invoices.voidInvoice(open!.id))).message).toContain("isn't open");
  billing.pass(30);
  expect((await billing.invoices(id)).map(({ status }) => String(status))).toEqual(["void", "paid"]);
});

test("while collection is paused, periods go on and invoices are not charged", async () => {
  await using billing = await startBilling();
  const { stripe } = billing;
  const { subscription: id } = await billing.bought();
  const paused = await stripe.subscriptions.update(id, { pause_collection: { behavior: "void" } });
  expect(paused.status).toBe("active");
  billing.pass(29);
  expect((await billing.invoices(id)).map(({ status }) => String(status))).toEqual(["void", "paid"]);
  await stripe.subscriptions.update(id, { pause_collection: "" });
  billing.pass(31);
  expect((await billing.invoices(id)).map(({ status }) => String(status))).toEqual(["paid", "void", "paid"]);
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

test("a subscription that was paused by hand is billed again when it resumes", async () => {
  await using billing = await startBilling();
  const { subscription: id } = await billing.bought();
  await billing.control("subscription/pause", { subscription: id });
  billing.pass(29);
  expect(await billing.subscription(id)).toMatchObject({ status: "paused" });
  expect(await billing.invoices(id)).toHaveLength(1);
  await billing.control("subscription/resume", { subscription: id });
  expect(await billing.subscription(id)).toMatchObject({
    status: "active",
    items: {
      data: [{ current_period_start: inSeconds("2026-03-01"), current_period_end: inSeconds("2026-04-01") }],
    },
  });
  expect(await billing.events("customer.subscription.paused", "customer.subscription.resumed")).toEqual([
    "customer.subscription.paused",
    "customer.subscription.resumed",
  ]);
  expect((await billing.invoices(id))[0]).toMatchObject({ status: "paid", amount_paid: 500 });
});

test("a switch that isn't invoiced at once appears on the next invoice, with the prorated difference if asked", async () => {
  await using billing = await startBilling();
  const { stripe } = billing;
  const { month } = await prices(stripe);
  const dear = await stripe.prices.create({
    currency: "usd",
    unit_amount: 900,
    recurring: { interval: "month" },
    product: idOf(month.product),
  });
  for (const [proration_behavior, total] of [
    ["none", 900],
    ["create_prorations", 1100],
  ] as const) {
    const { subscription: id } = await billing.bought();
    const { current_period_end: end, current_period_start: start } = (await billing.subscription(id)).items
      .data[0]!;
    billing.pass((end - start) / 2 / 86_400);
    const [item] = (await billing.subscription(id)).items.data;
    await stripe.subscriptions.update(id, { items: [{ id: item!.id, price: dear.id }], proration_behavior });
    expect(await billing.invoices(id)).toHaveLength(1);
    expect((await stripe.invoices.createPreview({ subscription: id })).total).toBe(total);
    billing.pass(20);
    expect((await billing.invoices(id))[0]).toMatchObject({ total, amount_paid: total });
  }
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
