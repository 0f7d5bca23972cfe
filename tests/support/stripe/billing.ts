import { expect } from "bun:test";
import Stripe from "stripe";
import { type StripeSimulator, startStripeSimulator } from "@/simulators/stripe/simulator";

export type Billing = Awaited<ReturnType<typeof startBilling>>;

type Place = { at?: number; dataDir?: string };

/**
 * Stripe's simulator with a clock that stands until the test moves it, and the SDK that talks to it. Use it as `await
 * using billing = await startBilling()`.
 */
export async function startBilling({ at = Date.UTC(2026, 0, 31, 12), dataDir }: Place = {}) {
  const clock = { ms: at };
  const simulator = await startStripeSimulator({ seed: "billing", now: () => clock.ms, dataDir });
  const stripe = client(simulator, simulator.secretKey);
  const control = (action: string, body: object) => act(simulator.url, action, body);
  const bought = async (more: Partial<Stripe.Checkout.SessionCreateParams> = {}, pays: object = {}) => {
    const { id } = await stripe.checkout.sessions.create({ ...(await order(stripe)), ...more });
    await control("pay", { session: id, email: "mia@example.com", ...pays });
    const session = await stripe.checkout.sessions.retrieve(id);
    return { session, subscription: idOf(session.subscription), customer: idOf(session.customer) };
  };
  return {
    clock,
    simulator,
    stripe,
    control,
    /** Another key of the account. */
    client: (key: string) => client(simulator, key),
    /** A subscription that was bought at the checkout, five dollars a month unless the test says otherwise. */
    bought,
    subscription: (id: string) => stripe.subscriptions.retrieve(id, { expand: ["latest_invoice"] }),
    /** A subscription's invoices, newest first. */
    invoices: async (subscription: string) => (await stripe.invoices.list({ subscription, limit: 100 })).data,
    newest: async (type: Stripe.Event["type"]) => {
      const [event] = (await stripe.events.list({ type, limit: 1 })).data;
      if (!event) throw new Error(`no ${type}`);
      return event;
    },
    /** Lets days pass, on all clocks. */
    pass: (days: number) => {
      clock.ms += days * 86_400_000;
    },
    [Symbol.asyncDispose]: () => simulator.stop(),
  };
}

const client = ({ url }: StripeSimulator, key: string) =>
  new Stripe(key, {
    host: "127.0.0.1",
    port: new URL(url).port,
    protocol: "http",
    telemetry: false,
    maxNetworkRetries: 0,
  });

async function act(url: string, action: string, body: object): Promise<Record<string, unknown>> {
  const answer = await fetch(`${url}/_control/${action}`, { method: "POST", body: JSON.stringify(body) });
  const report: Record<string, unknown> = await answer.json();
  if (!answer.ok) throw new Error(`${action}: ${String(report["error"])}`);
  return report;
}

/** The monthly and the yearly price of one product, made once. */
export async function prices(stripe: Stripe): Promise<{ month: Stripe.Price; year: Stripe.Price }> {
  const { data } = await stripe.prices.list({ lookup_keys: ["month", "year"] });
  const [known, other] = ["month", "year"].map((key) => data.find((one) => one.lookup_key === key));
  if (known && other) return { month: known, year: other };
  const month = await stripe.prices.create({
    currency: "usd",
    unit_amount: 500,
    recurring: { interval: "month" },
    lookup_key: "month",
    product_data: { name: "A thing" },
  });
  const year = await stripe.prices.create({
    currency: "usd",
    unit_amount: 5000,
    recurring: { interval: "year" },
    lookup_key: "year",
    product: idOf(month.product),
  });
  return { month, year };
}

/** A checkout for the monthly price. */
export async function order(stripe: Stripe): Promise<Stripe.Checkout.SessionCreateParams> {
  const { month } = await prices(stripe);
  return {
    mode: "subscription",
    line_items: [{ price: month.id, quantity: 1 }],
    success_url: "http://shop.test/success?session_id={CHECKOUT_SESSION_ID}",
    cancel_url: "http://shop.test/cancel",
    metadata: { order: "7" },
    subscription_data: { metadata: { order: "7" } },
  };
}

export function idOf(reference: string | { id: string } | null | undefined): string {
  if (typeof reference === "string") return reference;
  if (reference) return reference.id;
  throw new Error("there is no reference");
}

export function objectOf<T extends { id: string }>(reference: string | T | null | undefined): T {
  if (reference === null || reference === undefined || typeof reference === "string")
    throw new Error(`not expanded: ${reference}`);
  return reference;
}

export async function refusal(call: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  const error: unknown = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(Stripe.errors.StripeError);
  return error as Stripe.errors.StripeError;
}

export const inSeconds = (date: string): number => Date.parse(`${date}T12:00:00Z`) / 1000;
