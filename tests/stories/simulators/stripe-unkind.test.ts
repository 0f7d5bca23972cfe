import { expect, test } from "bun:test";
import type Stripe from "stripe";
import { idOf, objectOf, refusal, startBilling } from "../../support/stripe/billing";

const once: Partial<Stripe.Checkout.SessionCreateParams> = {
  mode: "payment",
  line_items: [
    { quantity: 1, price_data: { currency: "usd", unit_amount: 500, product_data: { name: "A" } } },
  ],
};

/** A one-time order; `order()` of the subscriptions names what only they may have. */
async function bought(billing: Awaited<ReturnType<typeof startBilling>>, outcome: string) {
  const { id } = await billing.stripe.checkout.sessions.create({
    ...once,
    success_url: "http://shop.test/success",
  });
  await billing.control("pay", { session: id, outcome, email: "mia@example.com" });
  return id;
}

test("a voucher, a bank transfer or small deposits leave the session complete and unpaid, without a charge", async () => {
  await using billing = await startBilling();
  const actions = {
    voucher: "boleto_display_details",
    transfer: "display_bank_transfer_instructions",
    deposits: "verify_with_microdeposits",
  };
  for (const [outcome, type] of Object.entries(actions)) {
    const id = await bought(billing, outcome);
    const look = () => billing.stripe.checkout.sessions.retrieve(id, { expand: ["payment_intent"] });
    const session = await look();
    expect(session).toMatchObject({ status: "complete", payment_status: "unpaid" });
    expect(session.payment_intent).toMatchObject({
      status: "requires_action",
      next_action: { type },
      latest_charge: null,
    });
    billing.pass(4);
    await billing.control("settle", { session: id, outcome: "succeed" });
    const paid = await look();
    expect(paid.payment_status).toBe("paid");
    expect(paid.payment_intent).toMatchObject({
      status: "succeeded",
      next_action: null,
      amount_received: 500,
    });
  }
  expect(await billing.events("checkout.session.async")).toEqual(
    Array.from({ length: 3 }, () => "checkout.session.async_payment_succeeded"),
  );
});

test("a voucher that nobody pays in time leaves its intent without a method", async () => {
  await using billing = await startBilling();
  const id = await bought(billing, "voucher");
  await billing.control("settle", { session: id, outcome: "fail" });
  const session = await billing.stripe.checkout.sessions.retrieve(id, { expand: ["payment_intent"] });
  expect(objectOf(session.payment_intent)).toMatchObject({
    status: "requires_payment_method",
    last_payment_error: { code: "payment_intent_payment_attempt_expired" },
  });
  expect(await billing.events("checkout.session.async")).toEqual(["checkout.session.async_payment_failed"]);
});

test("a subscription's invoices by voucher stay open, each with a voucher of its own", async () => {
  await using billing = await startBilling();
  const { session, subscription: id } = await billing.bought({}, { outcome: "voucher" });
  expect(session.payment_status).toBe("unpaid");
  await billing.control("settle", { session: session.id, outcome: "succeed" });
  billing.pass(29);
  const [renewal, first] = await billing.invoices(id);
  expect([renewal?.status, first?.status]).toEqual(["open", "paid"]);
  const { data } = await billing.stripe.invoicePayments.list({
    invoice: renewal?.id ?? "",
    expand: ["data.payment.payment_intent"],
  });
  expect(data[0]?.payment.payment_intent).toMatchObject({
    status: "requires_action",
    next_action: { type: "boleto_display_details" },
  });
  await billing.control("invoice/settle", { invoice: idOf(renewal?.id), outcome: "succeed" });
  expect((await billing.invoices(id))[0]?.status).toBe("paid");
});

test("an uncollectible invoice can still be paid", async () => {
  await using billing = await startBilling();
  const { subscription: id } = await billing.bought();
  await billing.control("card/mood", { subscription: id, mood: "declines" });
  billing.pass(29);
  const invoice = idOf((await billing.invoices(id))[0]?.id);
  await billing.control("invoice/uncollectible", { invoice });
  expect((await billing.invoices(id))[0]).toMatchObject({ status: "uncollectible", auto_advance: false });
  await billing.control("invoice/pay", { invoice, card: "4242" });
  expect((await billing.invoices(id))[0]).toMatchObject({ status: "paid", amount_paid: 500 });
  expect((await billing.subscription(id)).status).toBe("active");
});

test("an invoice that is paid outside Stripe has no intent that paid it", async () => {
  await using billing = await startBilling();
  const { subscription: id } = await billing.bought();
  await billing.control("card/mood", { subscription: id, mood: "declines" });
  billing.pass(29);
  const invoice = idOf((await billing.invoices(id))[0]?.id);
  await billing.control("invoice/outside", { invoice });
  expect((await billing.invoices(id))[0]).toMatchObject({ status: "paid", amount_paid: 0 });
  const { data } = await billing.stripe.invoicePayments.list({
    invoice,
    expand: ["data.payment.payment_intent"],
  });
  expect(data.map(({ status }) => status)).toEqual(["canceled"]);
  expect(data[0]?.payment.payment_intent).toMatchObject({ status: "canceled" });
});

test("an invoice is paid in parts, by several intents or elsewhere, and lowered by a credit note", async () => {
  await using billing = await startBilling();
  const { subscription: id } = await billing.bought();
  await billing.control("card/mood", { subscription: id, mood: "declines" });
  billing.pass(29);
  const invoice = idOf((await billing.invoices(id))[0]?.id);
  await billing.control("invoice/part", { invoice, amount: 100 });
  await billing.control("invoice/part", { invoice, amount: 50, by: "record" });
  await billing.control("invoice/credit-note", { invoice, amount: 30 });
  expect((await billing.invoices(id))[0]).toMatchObject({
    status: "open",
    total: 500,
    amount_due: 470,
    amount_paid: 150,
    amount_remaining: 320,
    pre_payment_credit_notes_amount: 30,
  });
  await billing.control("invoice/pay", { invoice, card: "4242" });
  expect((await billing.invoices(id))[0]).toMatchObject({ status: "paid", amount_paid: 470 });
  const { data } = await billing.stripe.invoicePayments.list({
    invoice,
    expand: ["data.payment.payment_intent"],
  });
  expect(data).toMatchObject([
    { amount_paid: 50, is_default: false, payment: { type: "payment_record" } },
    { amount_paid: 100, is_default: false, payment: { payment_intent: { amount_received: 100 } } },
    { amount_paid: 320, is_default: true, payment: { payment_intent: { amount_received: 320 } } },
  ]);
});

test("a credit note over all that is left of an invoice pays it", async () => {
  await using billing = await startBilling();
  const { subscription: id } = await billing.bought();
  await billing.control("card/mood", { subscription: id, mood: "declines" });
  billing.pass(29);
  const invoice = idOf((await billing.invoices(id))[0]?.id);
  await billing.control("invoice/credit-note", { invoice, amount: 500 });
  expect((await billing.invoices(id))[0]).toMatchObject({ status: "paid", total: 500, amount_paid: 0 });
});

test("an event keeps the API version of its making, in which an invoice names its subscription at the top", async () => {
  await using billing = await startBilling();
  await billing.control("events/version", { version: "2024-06-20" });
  const { subscription: id } = await billing.bought();
  await billing.control("events/version", { version: "2026-10-28.endive" });
  const event = await billing.newest("invoice.paid");
  expect(event.api_version).toBe("2024-06-20");
  expect(event.data.object).toMatchObject({ subscription: id });
  expect(event.data.object).not.toHaveProperty("parent");
  billing.pass(29);
  const later = await billing.newest("invoice.paid");
  expect(later.data.object).toMatchObject({ parent: { subscription_details: { subscription: id } } });
});

test("calls are refused on demand, until they no longer are", async () => {
  await using billing = await startBilling();
  const { subscription } = await billing.bought();
  const preview = () => billing.stripe.invoices.createPreview({ subscription });
  for (const [as, error] of [
    ["tax_location", { statusCode: 400, code: "customer_tax_location_invalid" }],
    ["schedule", { statusCode: 400 }],
    ["permission", { statusCode: 403 }],
  ] as const) {
    await billing.control("refuse", { path: "create_preview", as });
    expect(await refusal(preview())).toMatchObject(error);
  }
  await billing.control("refuse", { path: "create_preview", as: null });
  expect((await preview()).total).toBe(500);
});

test("a customer who is deleted has no running subscription any more", async () => {
  await using billing = await startBilling();
  const { subscription, customer } = await billing.bought();
  await billing.control("customer/delete", { customer });
  expect((await billing.subscription(subscription)).status).toBe("canceled");
  expect(await billing.stripe.customers.retrieve(customer)).toMatchObject({ deleted: true });
});

test("items, quantities and prices that are changed by hand are billed from the next period on", async () => {
  await using billing = await startBilling();
  const { subscription: id } = await billing.bought();
  await billing.control("subscription/item", { subscription: id, quantity: 3 });
  await billing.control("subscription/add-item", { subscription: id, amount: 700, first: true });
  const { items } = await billing.subscription(id);
  expect(items.data.map(({ price, quantity }) => [price.unit_amount, quantity])).toEqual([
    [700, 1],
    [500, 3],
  ]);
  billing.pass(29);
  expect((await billing.invoices(id))[0]).toMatchObject({ total: 2200, status: "paid" });
  await billing.control("subscription/item", { subscription: id, amount: 900 });
  billing.pass(31);
  expect((await billing.invoices(id))[0]).toMatchObject({ total: 2400, status: "paid" });
});

test("an end months ahead, by date or by schedule, lets the periods before it be billed", async () => {
  await using billing = await startBilling();
  for (const action of ["subscription/cancel-at", "subscription/schedule"]) {
    const { subscription: id } = await billing.bought();
    await billing.control(action, { subscription: id, months: 3 });
    const held = await billing.subscription(id);
    expect(held).toMatchObject({ status: "active", cancel_at_period_end: false });
    expect(held.cancel_at).toBeGreaterThan(held.items.data[0]!.current_period_end);
    billing.pass(100);
    expect((await billing.subscription(id)).status).toBe("canceled");
    expect((await billing.invoices(id)).map(({ status }) => status)).toEqual(["paid", "paid", "paid"]);
  }
});

test("a trial is made longer and shorter by hand", async () => {
  await using billing = await startBilling();
  const { subscription: id } = await billing.bought({ subscription_data: { trial_period_days: 7 } });
  for (const days of [30, 3]) {
    await billing.control("subscription/trial", { subscription: id, days });
    const { status, trial_end } = await billing.subscription(id);
    expect([status, trial_end]).toEqual(["trialing", Math.floor(billing.clock.ms / 1000) + days * 86_400]);
  }
  billing.pass(4);
  expect((await billing.subscription(id)).status).toBe("active");
});
