import { expect } from "bun:test";
import { eq } from "drizzle-orm";
import Stripe from "stripe";
import { addOffer } from "@/domain/offers/change";
import { payments } from "@/domain/schema/payments";
import { operator } from "@/core/base/actor";
import { day, minute } from "@/contract/vocabulary/time";
import { type Stage, openStage } from "../../support/shop/stage";
import type { Person } from "../../support/people/person";

export const by = { actor: operator, reason: "a story" };

export const password = "a long enough phrase";

/** A shop that sells a month by subscription. */
export async function openSubscriptionShop(
  trialDays: number | null = null,
  env: Record<string, string> = {},
): Promise<Stage> {
  const stage = await openStage({ env });
  await addOffer(
    stage.ctx,
    { id: "month", name: "A month", amount: 300, days: null, every: "month", trialDays },
    by,
  );
  return stage;
}

export async function checkout(person: Person, offer = "month", code?: string): Promise<string> {
  const wanted = { currency: "usd", offer, ...(code && { code }) };
  const opened = await person.post("/api/stripe/create-checkout-session", wanted);
  expect(opened.body).toMatchObject({ status: 200 });
  return opened.body.data.id;
}

/** Opens checkouts of the same subscription, each too late to go on with the one before. */
export async function openSeveral(stage: Stage, person: Person, count: number): Promise<string[]> {
  const opened: string[] = [];
  while (opened.length < count) {
    opened.push(await checkout(person));
    stage.advance(11 * minute);
  }
  return opened;
}

type Buying = { offer?: string; email?: string; outcome?: string; card?: string };

/** Completes a checkout, by default of a month; resolves to its session. */
export async function buy(stage: Stage, person: Person, { offer, ...how }: Buying = {}): Promise<string> {
  const session = await checkout(person, offer);
  await stage.atStripe("pay", { session, email: "ada@example.com", ...how });
  await settleAll(stage);
  return session;
}

const subscriptionsOf = async (person: Person) => (await person.get("/api/subscriptions")).body.data;
const licencesOf = async (person: Person) => (await person.get("/api/licenses/me")).body.data;
export const paymentsOf = async (person: Person) => (await person.get("/api/payments")).body.data;

/** A payment by its session, or a renewal by its invoice. */
export async function paymentOf(stage: Stage, session: string) {
  const [payment] = await stage.ctx.store.db.select().from(payments).where(eq(payments.sessionId, session));
  if (!payment) throw new Error("no such payment");
  return payment;
}

/** A customer with a day's licence. */
export async function customer(stage: Stage, name = "ada"): Promise<Person> {
  const person = stage.person();
  await person.register(await stage.handOut(1), name, password);
  return person;
}

/** One who buys a month by subscription; and Stripe's id of it. */
export async function subscriber(stage: Stage, code?: string) {
  const ada = await customer(stage);
  const session = await checkout(ada, "month", code);
  await stage.atStripe("pay", { session, email: "ada@example.com" });
  await stage.stripe.flush();
  await ada.get(`/api/stripe/verify-payment?session_id=${session}`);
  const { rows } = await stage.ctx.store.client.execute("SELECT stripe_id FROM subscriptions");
  return { ada, session, subscription: rows[0]?.["stripe_id"] as string };
}

/** The subscription and its licence as their owner sees them. */
export async function seenBy(person: Person) {
  // a month ends a session
  await person.post("/api/auth/login", { username: "ada", password });
  const [one] = await subscriptionsOf(person);
  const licence = (await licencesOf(person)).find(({ key }: { key: string }) => key === one.license_key);
  const graceDays = (Date.parse(licence.expiry_date) - Date.parse(one.renews_at ?? one.ends_at)) / day;
  return { ...one, licence, graceDays };
}

/** Moves time on, and lets Stripe tell what came due. */
export async function pass(stage: Stage, days: number) {
  stage.advance(days * day);
  await stage.stripe.flush();
}

/** Lets the shop do what it has still to do, and hear what came of it at Stripe. */
export async function settleAll(stage: Stage) {
  await stage.stripe.flush();
  await stage.shop.worker.drain();
  await stage.stripe.flush();
}

/** Does something at Stripe, and lets the shop do all that follows from it. */
export async function happens(stage: Stage, action: string, body: object) {
  const done = await stage.atStripe(action, body);
  await settleAll(stage);
  return done;
}

/** The invoices of renewals that the shop holds, newest period first. */
export async function renewalsHeld(stage: Stage): Promise<string[]> {
  const { rows } = await stage.ctx.store.client.execute(
    "SELECT session_id FROM payments WHERE session_id LIKE 'in_%' ORDER BY period_ends_at DESC",
  );
  return rows.map((row) => row["session_id"] as string);
}

type Held = {
  subscription: string;
  status: string;
  cancel_at: number | null;
  schedule: string | null;
  customer: string;
  invoices: { invoice: string; status: string; amount_due: number; refunded: number }[];
};

/** The subscriptions that Stripe holds. */
export async function atStripeNow(stage: Stage): Promise<Held[]> {
  const answer = await fetch(`${stage.stripe.url}/_control/subscriptions`);
  return ((await answer.json()) as { subscriptions: Held[] }).subscriptions;
}

/** The invoice that Stripe asks to be paid. */
export const openInvoice = async (stage: Stage) =>
  (await atStripeNow(stage))[0]?.invoices.find(({ status }) => status === "open")?.invoice ?? "";

/** A subscriber whose renewal was declined, and its open invoice. */
export async function subscriberInArrears(stage: Stage) {
  const bought = await subscriber(stage);
  await stage.atStripe("card/mood", { subscription: bought.subscription, mood: "declines" });
  await pass(stage, 32);
  await settleAll(stage);
  return { ...bought, invoice: await openInvoice(stage) };
}

/** The UTC day so many days from now. */
export const dayOf = (stage: Stage, days: number) =>
  new Date(stage.ctx.now().getTime() + days * day).toISOString().slice(0, 10);

/** Stripe as its own library speaks to it. */
export const stripeOf = ({ stripe: { url, secretKey } }: Stage) =>
  new Stripe(secretKey, { host: "127.0.0.1", port: new URL(url).port, protocol: "http" });

type Switch = {
  id: string;
  amount: number;
  level?: string;
  every?: "month" | "year";
  devices?: number;
  how?: "always_invoice" | "create_prorations" | "none";
};

/** Has Stripe bill a subscription by the price of an offer, as the shop makes it; by default with the difference invoiced. */
export async function reprice(
  stage: Stage,
  subscription: string,
  { id, amount, level = "premium", every = "month", devices = 1, how = "always_invoice" }: Switch,
) {
  const stripe = stripeOf(stage);
  const { items } = await stripe.subscriptions.retrieve(subscription);
  const { id: price } = await stripe.prices.create({
    currency: "usd",
    unit_amount: amount,
    recurring: { interval: every },
    product_data: { name: id },
    metadata: { offer: id, level, level_name: level, devices, shop: stage.url.host },
  });
  await stripe.subscriptions.update(subscription, {
    items: [{ id: items.data[0]?.id ?? "", price }],
    proration_behavior: how,
  });
}

/** As Stripe's portal does it for what is dearer: at once, with the difference invoiced. */
export async function switchTo(stage: Stage, subscription: string, to: Switch) {
  await reprice(stage, subscription, to);
  await settleAll(stage);
}

/** Opens Stripe's page as the customer does, and switches there to the price of an offer. */
export async function switchOnPage(stage: Stage, person: Person, offer: string) {
  const [{ id }] = (await person.get("/api/subscriptions")).body.data;
  const wanted = { id, flow: "switch", return_to: "/dashboard/license" };
  const opened = await person.post("/api/subscriptions/portal", wanted);
  expect(opened.status).toBe(200);
  const { data } = await stripeOf(stage).prices.list({ active: true, limit: 100 });
  const price = data.find(({ metadata }) => metadata["offer"] === offer)?.id ?? "";
  const page = await fetch(opened.body.data.url, { redirect: "follow" });
  const action = /<form[^>]+action="([^"]*\/switch\/[^"]*)"/.exec(await page.text())?.[1] ?? "";
  const body = new URLSearchParams({ price });
  const answer = await fetch(new URL(action, page.url), { method: "POST", body, redirect: "manual" });
  const back = new URL(answer.headers.get("location") ?? "");
  expect([back.origin, back.pathname]).toEqual([stage.url.origin, "/dashboard/license"]);
  await settleAll(stage);
}

/** The id of what Stripe names, or sends whole where it was asked to. */
export const idOf = (reference: string | { id: string } | null): string =>
  typeof reference === "string" ? reference : (reference?.id ?? "");
