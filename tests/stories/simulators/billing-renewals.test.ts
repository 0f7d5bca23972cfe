import { expect, spyOn, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Billing, idOf, inSeconds, objectOf, order, startBilling } from "../../support/stripe/billing";

test("a month later the next period begins with an invoice, which is charged an hour after that", async () => {
  await using billing = await startBilling();
  const { subscription: id } = await billing.bought();
  billing.pass(28);
  const due = await billing.subscription(id);
  expect(due.items.data[0]).toMatchObject({
    current_period_start: inSeconds("2026-02-28"),
    current_period_end: inSeconds("2026-03-31"),
  });
  expect(objectOf(due.latest_invoice)).toMatchObject({
    status: "draft",
    billing_reason: "subscription_cycle",
    created: inSeconds("2026-02-28"),
    automatically_finalizes_at: inSeconds("2026-02-28") + 3600,
    lines: {
      data: [{ amount: 500, period: { start: inSeconds("2026-02-28"), end: inSeconds("2026-03-31") } }],
    },
  });
  billing.pass(1);
  const renewed = await billing.subscription(id);
  expect(renewed.status).toBe("active");
  expect(objectOf(renewed.latest_invoice)).toMatchObject({
    status: "paid",
    amount_paid: 500,
    attempt_count: 1,
    status_transitions: { paid_at: inSeconds("2026-02-28") + 3600 },
  });
  expect(await billing.events("invoice")).toEqual([
    "invoice.created",
    "invoice.finalized",
    "invoice_payment.paid",
    "invoice.paid",
    "invoice.payment_succeeded",
    "invoice.upcoming",
    "invoice.created",
    "invoice.finalized",
    "invoice_payment.paid",
    "invoice.paid",
    "invoice.payment_succeeded",
  ]);
});

test("three years that pass at once make the same invoices, in the same order, as three years day by day", async () => {
  await using billing = await startBilling();
  const [first, second] = [await billing.bought(), await billing.bought()];
  billing.pass(3 * 365 + 2);
  const made = [
    ...(await billing.invoices(first.subscription)),
    ...(await billing.invoices(second.subscription)),
  ];
  expect(made).toHaveLength(74);
  expect(made.every(({ status }) => status === "paid")).toBe(true);
  const all = (await billing.stripe.invoices.list({ limit: 100 })).data.map(({ created }) => created);
  expect(all).toEqual(all.toSorted((a, b) => b - a));
  const { current_period_end } = (await billing.subscription(first.subscription)).items.data[0]!;
  expect(new Date(current_period_end * 1000).toISOString()).toBe("2029-02-28T12:00:00.000Z");
});

test("a declined renewal makes the subscription past due, is retried for two weeks, and then cancels it", async () => {
  await using billing = await startBilling();
  const { subscription: id } = await billing.bought();
  await billing.control("card/mood", { subscription: id, mood: "declines" });
  billing.pass(29);
  const { status, latest_invoice } = await billing.subscription(id);
  expect(status).toBe("past_due");
  const charged = inSeconds("2026-02-28") + 3600;
  expect(objectOf(latest_invoice)).toMatchObject({
    status: "open",
    attempt_count: 1,
    next_payment_attempt: charged + 3 * 86_400,
    amount_remaining: 500,
  });
  const failed = await billing.newest("customer.subscription.updated");
  expect(failed.data).toMatchObject({
    object: { status: "past_due" },
    previous_attributes: { status: "active" },
  });
  expect(Object.keys(failed.data.previous_attributes ?? {})).toEqual(["status"]);
  billing.pass(14);
  const over = await billing.subscription(id);
  expect(over).toMatchObject({
    status: "canceled",
    ended_at: charged + 14 * 86_400,
    cancellation_details: { reason: "payment_failed" },
  });
  expect(objectOf(over.latest_invoice)).toMatchObject({
    status: "open",
    attempt_count: 4,
    next_payment_attempt: null,
  });
  expect(await billing.events("invoice.payment_failed")).toHaveLength(4);
  expect(await mailsOf(billing)).toContainEqual("canceled_unpaid");
  // nobody collects a cancelled subscription
  billing.pass(60);
  expect(await billing.invoices(id)).toHaveLength(2);
});

test("with the setting `unpaid`, a subscription stays after its last retry, and its next invoices stay drafts", async () => {
  await using billing = await startBilling();
  const { stripe } = billing;
  const { subscription: id } = await billing.bought();
  await billing.control("retries", { outcome: "unpaid" });
  await billing.control("card/mood", { subscription: id, mood: "declines" });
  billing.pass(28 + 15);
  expect((await billing.subscription(id)).status).toBe("unpaid");
  billing.pass(31);
  const [next] = await billing.invoices(id);
  expect(next).toMatchObject({ status: "draft", auto_advance: false, attempt_count: 0 });
  await billing.control("card/mood", { subscription: id, mood: "works" });
  expect((await stripe.invoices.pay(next!.id)).status as string).toBe("paid");
  expect((await billing.subscription(id)).status).toBe("active");
});

test("a first invoice unpaid for 23 hours ends the subscription", async () => {
  await using billing = await startBilling();
  const { subscription: id } = await billing.bought({}, { outcome: "processing" });
  await billing.control("alter/subscription", { subscription: id, status: "incomplete" });
  billing.pass(22 / 24);
  expect((await billing.subscription(id)).status).toBe("incomplete");
  billing.pass(1 / 24);
  const over = await billing.subscription(id);
  expect(over.status).toBe("incomplete_expired");
  expect(String(objectOf(over.latest_invoice).status)).toBe("void");
});

test("a past-due subscription is active again once another card pays its invoice", async () => {
  await using billing = await startBilling();
  const { stripe } = billing;
  const { subscription: id, customer } = await billing.bought();
  await billing.control("card/mood", { subscription: id, mood: "no_funds" });
  billing.pass(29);
  const { latest_invoice: due } = await billing.subscription(id);
  const { id: card } = await billing.control("card/new", { customer, card: "4444" });
  const updated = await billing.newest("customer.updated");
  expect(updated.data).toMatchObject({
    object: { invoice_settings: { default_payment_method: card } },
    previous_attributes: { invoice_settings: { default_payment_method: null } },
  });
  // as at Stripe, only what changed
  expect(JSON.stringify(updated.data.previous_attributes)).toBe(
    '{"invoice_settings":{"default_payment_method":null}}',
  );
  await stripe.subscriptions.update(id, { default_payment_method: String(card) });
  const paid = await stripe.invoices.pay(idOf(due), { payment_method: String(card) });
  expect(paid).toMatchObject({ status: "paid", attempt_count: 2, next_payment_attempt: null });
  expect((await billing.subscription(id)).status).toBe("active");
  billing.pass(31);
  expect((await billing.invoices(id)).map(({ status }) => String(status))).toEqual(["paid", "paid", "paid"]);
});

test("a card that asks for confirmation says so in its event, and the customer confirms on the invoice's page", async () => {
  await using billing = await startBilling();
  const { stripe } = billing;
  const { subscription: id } = await billing.bought();
  await billing.control("card/mood", { subscription: id, mood: "asks" });
  billing.pass(29);
  const { status, latest_invoice } = await billing.subscription(id);
  expect(status).toBe("past_due");
  const invoice = objectOf(latest_invoice);
  const { data } = await stripe.invoicePayments.list({
    invoice: invoice.id,
    expand: ["data.payment.payment_intent"],
  });
  expect(objectOf(data[0]?.payment.payment_intent).status).toBe("requires_action");
  expect(await billing.events("invoice.payment")).toEqual([
    "invoice.payment_succeeded",
    "invoice.payment_failed",
    "invoice.payment_action_required",
  ]);
  await billing.control("invoice/pay", { invoice: invoice.id });
  expect((await billing.subscription(id)).status).toBe("active");
});

test("a bank debit that takes days leaves the subscription active, and past due when it fails", async () => {
  await using billing = await startBilling();
  const { session, subscription: id } = await billing.bought({}, { outcome: "processing" });
  await billing.control("settle", { session: session.id, outcome: "succeed" });
  billing.pass(29);
  const waiting = await billing.subscription(id);
  expect(waiting.status).toBe("active");
  const invoice = objectOf(waiting.latest_invoice);
  expect(invoice).toMatchObject({ status: "open", attempted: true, next_payment_attempt: null });
  await billing.control("invoice/settle", { invoice: invoice.id, outcome: "fail" });
  expect((await billing.subscription(id)).status).toBe("past_due");
});

test("a trial's end is announced three days before, and then charged", async () => {
  await using billing = await startBilling();
  const { subscription: id } = await billing.bought({ subscription_data: { trial_period_days: 14 } });
  billing.pass(10);
  await billing.subscription(id);
  expect(await billing.events("customer.subscription.trial")).toEqual([]);
  billing.pass(1);
  await billing.subscription(id);
  expect(await billing.events("customer.subscription.trial")).toEqual([
    "customer.subscription.trial_will_end",
  ]);
  billing.pass(4);
  const paid = await billing.subscription(id);
  expect(paid.status).toBe("active");
  expect(objectOf(paid.latest_invoice)).toMatchObject({
    amount_paid: 500,
    billing_reason: "subscription_cycle",
  });
  expect(paid.items.data[0]?.current_period_end).toBe(inSeconds("2026-03-14"));
});

test("a trial that ends without a card pauses or cancels, as the checkout said", async () => {
  await using billing = await startBilling();
  for (const [missing_payment_method, status] of [
    ["pause", "paused"],
    ["cancel", "canceled"],
  ] as const) {
    const { subscription: id } = await billing.bought({
      payment_method_collection: "if_required",
      subscription_data: {
        trial_period_days: 7,
        trial_settings: { end_behavior: { missing_payment_method } },
      },
    });
    billing.pass(8);
    const after = await billing.subscription(id);
    expect(after).toMatchObject({ status, default_payment_method: null });
    expect(objectOf(after.latest_invoice).amount_paid).toBe(0);
  }
  expect(await billing.events("customer.subscription.paused")).toHaveLength(1);
});

test("a repeating code discounts its months, and a forever code every invoice", async () => {
  await using billing = await startBilling();
  const { stripe } = billing;
  const codeFor = async (code: string, more: object) => {
    const coupon = await stripe.coupons.create({ percent_off: 20, ...more });
    return stripe.promotionCodes.create({ promotion: { type: "coupon", coupon: coupon.id }, code });
  };
  const two = await codeFor("TWO", { duration: "repeating", duration_in_months: 2 });
  const ever = await codeFor("EVER", { duration: "forever" });
  const first = await billing.bought({ discounts: [{ promotion_code: two.id }] });
  const second = await billing.bought({ discounts: [{ promotion_code: ever.id }] });
  billing.pass(91);
  const paid = async (id: string) =>
    (await billing.invoices(id)).map(({ amount_paid }) => amount_paid).toReversed();
  expect(await paid(first.subscription)).toEqual([400, 400, 500, 500]);
  expect(await paid(second.subscription)).toEqual([400, 400, 400, 400]);
});

test("a simulator with a data folder catches up after a restart with what fell due while it was stopped", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "stripe-billing-"));
  const first = await startBilling({ dataDir });
  const { subscription: id } = await first.bought();
  await first.control("card/mood", { subscription: id, mood: "no_funds" });
  await first.simulator.stop();
  await using billing = await startBilling({ dataDir, at: Date.UTC(2026, 2, 1, 12) });
  const due = await billing.subscription(id);
  expect(due.status).toBe("past_due");
  expect(objectOf(due.latest_invoice)).toMatchObject({ status: "open", created: inSeconds("2026-02-28") });
  rmSync(dataDir, { recursive: true });
});

test("an error in one subscription is logged, and the API still answers", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "stripe-billing-"));
  const first = await startBilling({ dataDir });
  await first.bought();
  await first.simulator.stop();
  const journal = join(dataDir, "ledger.jsonl");
  writeFileSync(journal, readFileSync(journal, "utf8").replaceAll('"month"', '"fortnight"'));
  const logged = spyOn(console, "error").mockImplementation(() => {});
  await using billing = await startBilling({ dataDir, at: Date.UTC(2026, 2, 1, 12) });
  expect((await billing.stripe.prices.list()).data).toHaveLength(2);
  expect(String(logged.mock.calls)).toContain("fortnight");
  logged.mockRestore();
  rmSync(dataDir, { recursive: true });
});

test("time can be moved on by at most ten years at once", async () => {
  await using billing = await startBilling();
  const { subscription } = await billing.bought();
  for (const too of [{ months: 121 }, { days: 3661 }])
    expect(billing.control("advance", { subscription, ...too })).rejects.toThrow("Too big");
  await billing.control("advance", { subscription, months: 120 });
  expect((await billing.subscription(subscription)).items.data[0]?.current_period_start).toBe(
    inSeconds("2036-01-31"),
  );
});

test("events are listed in order of time, including those of expired sessions", async () => {
  await using billing = await startBilling();
  const { stripe } = billing;
  await billing.bought();
  await stripe.checkout.sessions.create(await order(stripe));
  await stripe.checkout.sessions.create(await order(stripe));
  billing.pass(29);
  const events = (await stripe.events.list({ limit: 100 })).data.toReversed();
  const times = events.map(({ created }) => created);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(events.at(-1)?.type as string).toBe("checkout.session.expired");
});

test("a customer's credit is used before their card is charged", async () => {
  await using billing = await startBilling();
  const { subscription: id, customer } = await billing.bought();
  await billing.control("customer/balance", { customer, balance: -300 });
  expect((await billing.newest("customer.updated")).data.previous_attributes).toEqual({
    balance: 0,
  });
  billing.pass(29);
  const [renewal] = await billing.invoices(id);
  expect(renewal).toMatchObject({
    total: 500,
    starting_balance: -300,
    ending_balance: 0,
    amount_due: 200,
    amount_paid: 200,
  });
  const { balance } = (await billing.stripe.customers.retrieve(customer)) as { balance: number };
  expect(balance).toBe(0);
});

test("a list of more than a hundred invoices is paged", async () => {
  await using billing = await startBilling();
  const { subscription } = await billing.bought();
  await billing.control("advance", { subscription, months: 120 });
  const { invoices } = billing.stripe;
  const first = await invoices.list({ subscription, limit: 100 });
  expect(first).toMatchObject({ has_more: true, data: { length: 100 } });
  const last = String(first.data.at(-1)?.id);
  const rest = await invoices.list({ subscription, limit: 100, starting_after: last });
  expect(rest).toMatchObject({ has_more: false, data: { length: 21 } });
});

async function mailsOf(billing: Billing): Promise<string[]> {
  const { mails } = (await billing.report("mails")) as { mails: { about: string }[] };
  return mails.map(({ about }) => about);
}

test("the control page shows each subscription with what can happen to it", async () => {
  await using billing = await startBilling();
  const { subscription } = await billing.bought();
  const show = async () => (await fetch(billing.simulator.url)).text();
  expect(await show()).toContain("A month later");
  const press = (name: string, given: object) => {
    const body = new URLSearchParams({ given: JSON.stringify({ subscription, ...given }) });
    return fetch(`${billing.simulator.url}/_do/${name}`, { method: "POST", redirect: "manual", body });
  };
  await press("card/mood", { mood: "declines" });
  expect((await press("advance", { months: 1 })).status).toBe(303);
  await press("advance", { days: 1 });
  expect(await show()).toContain("past due");
  expect(await show()).toContain("Open the invoice");
});

test("a cancellation in the dashboard says why and gives up a planned change, and the page shows the year", async () => {
  await using billing = await startBilling();
  const { subscription } = await billing.bought();
  await billing.control("advance", { subscription, months: 12 });
  await billing.control("subscription/cancel", { subscription, at: "period_end" });
  expect(await billing.subscription(subscription)).toMatchObject({
    cancel_at: inSeconds("2027-02-28"),
    cancel_at_period_end: true,
    canceled_at: inSeconds("2027-01-31"),
    cancellation_details: { reason: "cancellation_requested" },
  });
  expect(await (await fetch(billing.simulator.url)).text()).toContain("ends 2027-02-28 12:00:00");
});
