import { expect, test } from "bun:test";
import type Stripe from "stripe";
import {
  type Billing,
  idOf,
  objectOf,
  order,
  prices,
  refusal,
  startBilling,
} from "../../support/stripe/billing";

test("two prices of one product with the same interval, and more than ten products, are refused", async () => {
  await using billing = await startBilling();
  const { stripe } = billing;
  const { month } = await prices(stripe);
  const product = idOf(month.product);
  const recurring = { interval: "month" as const };
  const other = await stripe.prices.create({ currency: "usd", unit_amount: 900, recurring, product });
  const create = (products: { product: string; prices: string[] }[]) =>
    refusal(
      stripe.billingPortal.configurations.create({
        features: { subscription_update: { enabled: true, default_allowed_updates: ["price"], products } },
      }),
    );
  expect((await create([{ product, prices: [month.id, other.id] }])).message).toContain(
    "unique billing intervals",
  );
  const many = Array.from({ length: 11 }, () => ({ product, prices: [month.id] }));
  expect((await create(many)).message).toContain("up to 10 products");
});

test("a switch is not made with a card that fails, and waits for a card that asks", async () => {
  await using billing = await startBilling();
  const { stripe } = billing;
  const { year } = await prices(stripe);
  const { subscription: id, customer } = await billing.bought();
  const portal = await visit(billing, customer);
  await billing.control("card/mood", { subscription: id, mood: "declines" });
  expect(await (await portal.post(`switch/${id}`, { price: year.id })).text()).toContain(
    "Your card was declined.",
  );
  await billing.control("card/mood", { subscription: id, mood: "asks" });
  expect(await (await portal.post(`switch/${id}`, { price: year.id })).text()).toContain("Is this you?");
  expect(await billing.invoices(id)).toHaveLength(1);
  await portal.post(`switch/${id}`, { price: year.id, answer: "confirm" });
  expect(await billing.subscription(id)).toMatchObject({
    status: "active",
    items: { data: [{ price: { id: year.id } }] },
  });
});

test("a declined switch leaves the change that was planned before it", async () => {
  await using billing = await startBilling();
  const { stripe } = billing;
  const { month, year } = await prices(stripe);
  const dear = await stripe.prices.create({
    currency: "usd",
    unit_amount: 9000,
    recurring: { interval: "year" },
    product_data: { name: "A better thing" },
  });
  const { subscription: id, customer } = await billing.bought({
    line_items: [{ price: year.id, quantity: 1 }],
  });
  const { id: configuration } = await configure(billing);
  await stripe.billingPortal.configurations.update(configuration, {
    features: {
      subscription_update: {
        products: [
          { product: idOf(month.product), prices: [month.id, year.id] },
          { product: idOf(dear.product), prices: [dear.id] },
        ],
      },
    },
  });
  const portal = await visit(billing, customer);
  await portal.post(`switch/${id}`, { price: month.id });
  await billing.control("card/mood", { subscription: id, mood: "declines" });
  const refused = await portal.post(`switch/${id}`, { price: dear.id });
  expect(await refused.text()).toContain("Your card was declined.");
  expect(await portal.home()).toContain("Switches to A thing, $5.00 per month, on Jan 31, 2027.");
  await billing.control("card/mood", { subscription: id, mood: "works" });
  await portal.post(`switch/${id}`, { price: dear.id });
  expect(await billing.subscription(id)).toMatchObject({
    schedule: null,
    items: { data: [{ price: { id: dear.id } }] },
  });
});

test("the login page leads each mode's customers to their own subscriptions", async () => {
  await using billing = await startBilling();
  await billing.control("keys", { key: "sk_live_shop" });
  const live = billing.client("sk_live_shop");
  const { id } = await live.checkout.sessions.create(await order(live));
  // the last call before the buyer pays has the other mode's key
  await configure(billing);
  await billing.control("pay", { session: id, email: "mia@example.com" });
  const session = await live.checkout.sessions.retrieve(id, {
    expand: ["customer", "subscription", "invoice"],
  });
  expect(session).toMatchObject({
    customer: { livemode: true },
    subscription: { livemode: true },
    invoice: { livemode: true },
  });
  const { url } = (await billing.stripe.billingPortal.configurations.list()).data[0]!.login_page;
  const enter = () =>
    fetch(String(url), {
      method: "POST",
      redirect: "manual",
      body: new URLSearchParams({ email: "mia@example.com" }),
    });
  expect(await (await enter()).text()).toContain("no customer with this address");
  await billing.bought();
  await live.prices.list();
  const page = await fetch(String((await enter()).headers.get("location")));
  expect(await page.text()).toContain("$5.00 per month");
});

test("the customer changes their address and tax number, and signs in by their address", async () => {
  await using billing = await startBilling();
  const { stripe } = billing;
  const { customer } = await billing.bought();
  const portal = await visit(billing, customer);
  await portal.post("customer", { email: "new@example.com", name: "Mia", tax_id: "DE123456789" });
  expect(await stripe.customers.retrieve(customer, { expand: ["tax_ids"] })).toMatchObject({
    email: "new@example.com",
    tax_ids: { data: [{ type: "eu_vat", value: "DE123456789" }] },
  });
  const [configuration] = (await stripe.billingPortal.configurations.list()).data;
  const login = String(configuration?.login_page.url);
  const send = (email: string) =>
    fetch(login, { method: "POST", redirect: "manual", body: new URLSearchParams({ email }) });
  expect(await (await send("nobody@example.com")).text()).toContain("no customer with this address");
  const entered = await send("new@example.com");
  expect(await (await fetch(String(entered.headers.get("location")))).text()).toContain("$5.00 per month");
});

test("a session's link ends after an hour, and shows nobody else's subscription", async () => {
  await using billing = await startBilling();
  const [one, other] = [await billing.bought(), await billing.bought()];
  const portal = await visit(billing, one.customer);
  await portal.post(`cancel/${other.subscription}`);
  expect((await billing.subscription(other.subscription)).cancel_at).toBeNull();
  const foreign = billing.stripe.billingPortal.sessions.create({
    customer: one.customer,
    flow_data: { type: "subscription_cancel", subscription_cancel: { subscription: other.subscription } },
  });
  expect((await refusal(foreign)).message).toContain("belongs to another customer");
  billing.clock.ms += 2 * 3_600_000;
  expect(await portal.home()).toContain("This link has expired");
});

test("an open invoice is paid on its own page, with another card", async () => {
  await using billing = await startBilling();
  const { subscription: id } = await billing.bought();
  await billing.control("card/mood", { subscription: id, mood: "declines" });
  billing.pass(29);
  const { latest_invoice: invoice } = await billing.subscription(id);
  const url = String(objectOf(invoice).hosted_invoice_url);
  const pay = (fields: object) =>
    fetch(url, { method: "POST", redirect: "manual", body: new URLSearchParams({ name: "Mia", ...fields }) });
  const card = { expiry: "12 / 34", cvc: "123" };
  expect(await (await pay({ ...card, number: "4000 0000 0000 0002" })).text()).toContain("declined");
  expect(await (await pay({ ...card, number: "4000 0025 0000 3155" })).text()).toContain("Is this you?");
  expect((await pay({ asked: "3155", answer: "confirm" })).status).toBe(303);
  expect(await (await fetch(url)).text()).toContain("Paid:");
  expect((await billing.subscription(id)).status).toBe("active");
});

/** A configuration as a shop keeps one: everything on, by the month or by the year. */
async function configure({ stripe }: Billing) {
  const { month, year } = await prices(stripe);
  return stripe.billingPortal.configurations.create({
    metadata: { shop: "1" },
    login_page: { enabled: true },
    features: {
      customer_update: { enabled: true, allowed_updates: ["email", "name", "tax_id"] },
      invoice_history: { enabled: true },
      payment_method_update: { enabled: true },
      subscription_cancel: { enabled: true, mode: "at_period_end" },
      subscription_update: {
        enabled: true,
        default_allowed_updates: ["price"],
        products: [{ product: idOf(month.product), prices: [month.id, year.id] }],
        proration_behavior: "always_invoice",
        schedule_at_period_end: {
          conditions: [{ type: "decreasing_item_amount" }, { type: "shortening_interval" }],
        },
        trial_update_behavior: "continue_trial",
      },
    },
  });
}

/** A customer in the portal. */
async function visit(
  billing: Billing,
  customer: string,
  flow_data?: Stripe.BillingPortal.SessionCreateParams.FlowData,
) {
  if ((await billing.stripe.billingPortal.configurations.list()).data.length === 0) await configure(billing);
  const { url } = await billing.stripe.billingPortal.sessions.create({
    customer,
    return_url: "http://shop.test/billing",
    ...(flow_data && { flow_data }),
  });
  const get = async (path: string) => (await fetch(`${url}/${path}`)).text();
  return {
    home: async () => (await fetch(url)).text(),
    get,
    post: (path: string, fields: Record<string, string> = {}) =>
      fetch(`${url}/${path}`, { method: "POST", redirect: "manual", body: new URLSearchParams(fields) }),
  };
}
