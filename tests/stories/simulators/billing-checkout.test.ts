import { expect, test } from "bun:test";
import {
  idOf,
  inSeconds,
  objectOf,
  order,
  prices,
  refusal,
  startBilling,
} from "../../support/stripe/billing";

test("a paid checkout begins an active subscription with a paid invoice and a saved card", async () => {
  await using billing = await startBilling();
  const { stripe } = billing;
  const { session, subscription: id, customer } = await billing.bought();
  expect(session).toMatchObject({
    mode: "subscription",
    status: "complete",
    payment_status: "paid",
    payment_intent: null,
    amount_total: 500,
    customer_details: { email: "mia@example.com" },
  });
  const subscription = await stripe.subscriptions.retrieve(id, {
    expand: ["default_payment_method", "latest_invoice.payments", "customer"],
  });
  expect(subscription).toMatchObject({
    status: "active",
    metadata: { order: "7" },
    cancel_at: null,
    cancel_at_period_end: false,
    trial_end: null,
    items: { data: [{ quantity: 1, price: { unit_amount: 500, recurring: { interval: "month" } } }] },
  });
  // the 31st of January, and the last day of February
  expect(subscription.items.data[0]?.current_period_start).toBe(inSeconds("2026-01-31"));
  expect(subscription.items.data[0]?.current_period_end).toBe(inSeconds("2026-02-28"));
  const card = objectOf(subscription.default_payment_method).card;
  expect(card).toMatchObject({ brand: "visa", last4: "4242" });
  expect(card?.fingerprint).toHaveLength(16);
  const invoice = objectOf(subscription.latest_invoice);
  expect(invoice).toMatchObject({
    id: idOf(session.invoice),
    status: "paid",
    billing_reason: "subscription_create",
    subtotal: 500,
    total: 500,
    amount_paid: 500,
    amount_due: 500,
    customer,
    parent: { subscription_details: { subscription: id, metadata: { order: "7" } } },
    lines: {
      data: [{ amount: 500, period: { start: inSeconds("2026-01-31"), end: inSeconds("2026-02-28") } }],
    },
  });
  expect(invoice.hosted_invoice_url).toStartWith(billing.simulator.url);
  const named = idOf(invoice.payments?.data[0]?.payment.payment_intent);
  const found = await stripe.invoicePayments.list({
    payment: { type: "payment_intent", payment_intent: named },
    expand: ["data.payment.payment_intent.latest_charge"],
  });
  const intent = objectOf(found.data[0]?.payment.payment_intent);
  expect(intent).toMatchObject({ id: named, status: "succeeded", amount: 500, customer });
  expect("invoice" in intent).toBe(false);
  expect(objectOf(intent.latest_charge).payment_method_details?.card?.last4).toBe("4242");
  const tooDeep = ["latest_invoice.payments.data.payment.payment_intent"];
  const refused = await refusal(stripe.subscriptions.retrieve(id, { expand: tooDeep }));
  expect(refused.code).toBe("property_expansion_max_depth");
  expect(found.data.map((one) => one.invoice)).toEqual([invoice.id]);
  expect(await billing.events("customer.", "invoice", "checkout.", "payment_method.")).toEqual([
    "customer.created",
    "payment_method.attached",
    "customer.subscription.created",
    "invoice.created",
    "invoice.finalized",
    "invoice_payment.paid",
    "invoice.paid",
    "invoice.payment_succeeded",
    "checkout.session.completed",
  ]);
});

test("a declined card leaves the session open, and no subscription begins", async () => {
  await using billing = await startBilling();
  const { stripe } = billing;
  const { id, url } = await stripe.checkout.sessions.create(await order(stripe));
  const refused = await (await pay(url, "4000 0000 0000 0002")).text();
  expect(refused).toContain("Your card was declined.");
  expect((await stripe.checkout.sessions.retrieve(id)).status).toBe("open");
  expect((await stripe.subscriptions.list({ status: "all" })).data).toEqual([]);
  expect((await pay(url)).headers.get("location")).toBe(`http://shop.test/success?session_id=${id}`);
  // the page was open twice
  expect((await pay(url)).headers.get("location")).toBe(`http://shop.test/success?session_id=${id}`);
  expect((await stripe.subscriptions.list()).data).toHaveLength(1);
});

test("a card that asks has the buyer confirm on their bank's page, and refusing takes nothing", async () => {
  await using billing = await startBilling();
  const { stripe } = billing;
  const { id, url } = await stripe.checkout.sessions.create(await order(stripe));
  expect(await (await pay(url, "4000 0027 6000 3184")).text()).toContain("Is this you?");
  const answer = (given: string) => {
    const body = new URLSearchParams({ email: "mia@example.com", name: "Mia", asked: "3184", answer: given });
    return fetch(String(url), { method: "POST", redirect: "manual", body });
  };
  expect(await (await answer("refuse")).text()).toContain("unable to authenticate");
  expect((await stripe.checkout.sessions.retrieve(id)).status).toBe("open");
  expect((await answer("confirm")).status).toBe(303);
  const session = await stripe.checkout.sessions.retrieve(id, { expand: ["subscription"] });
  expect(objectOf(session.subscription).status).toBe("active");
  // this card asks at each renewal too
  billing.pass(29);
  expect((await billing.subscription(idOf(session.subscription))).status).toBe("past_due");
});

test("parameters of other modes are refused in Stripe's words", async () => {
  await using billing = await startBilling();
  const { stripe } = billing;
  const begin = async (more: object) =>
    (await refusal(stripe.checkout.sessions.create({ ...(await order(stripe)), ...more }))).message;
  expect(await begin({ customer_creation: "always" })).toContain(
    "only be used in `payment` and `setup` mode",
  );
  expect(await begin({ payment_intent_data: { description: "x" } })).toContain("in `subscription` mode");
  expect(await begin({ invoice_creation: { enabled: true } })).toContain("set to `payment`");
  const { month } = await prices(stripe);
  expect(await begin({ line_items: [{ price: month.id, quantity: 2 }] })).toContain("quantity 1");
});

test("the same card has the same fingerprint wherever it is used, and another card another", async () => {
  await using billing = await startBilling();
  const { stripe } = billing;
  const fingerprintOf = async (id: string) => {
    const subscription = await stripe.subscriptions.retrieve(id, { expand: ["default_payment_method"] });
    return objectOf(subscription.default_payment_method).card?.fingerprint;
  };
  const [one, same, other] = [
    await billing.bought(),
    await billing.bought({}, { email: "ada@example.com" }),
    await billing.bought({}, { card: "4444" }),
  ];
  const fingerprint = await fingerprintOf(one.subscription);
  expect(fingerprint).toHaveLength(16);
  expect(await fingerprintOf(same.subscription)).toBe(fingerprint);
  expect(await fingerprintOf(other.subscription)).not.toBe(fingerprint!);
  const once = { currency: "usd", unit_amount: 500, product_data: { name: "A thing" } };
  const { id } = await stripe.checkout.sessions.create({
    mode: "payment",
    success_url: "http://shop.test/",
    line_items: [{ price_data: once, quantity: 1 }],
  });
  await billing.control("pay", { session: id });
  const paid = await stripe.checkout.sessions.retrieve(id, { expand: ["payment_intent.latest_charge"] });
  const charge = objectOf(objectOf(paid.payment_intent).latest_charge);
  expect(charge.payment_method_details?.card?.fingerprint).toBe(fingerprint);
});

function pay(url: string | null, number = "4242 4242 4242 4242") {
  const fields = { method: "card", email: "mia@example.com", name: "Mia", expiry: "12 / 34", cvc: "123" };
  const body = new URLSearchParams({ ...fields, number });
  return fetch(String(url), { method: "POST", redirect: "manual", body });
}
