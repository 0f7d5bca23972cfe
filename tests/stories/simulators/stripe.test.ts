import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Stripe from "stripe";
import {
  type StripeSimulator,
  type StripeSimulatorOptions,
  startStripeSimulator,
} from "@/simulators/stripe/simulator";
import { objectOf, refusal } from "../../support/stripe/billing";

/** A shop's endpoint: keeps the types of the events that it receives. */
type Inbox = ReturnType<typeof startInbox>;
let inbox: Inbox;
let simulator: StripeSimulator;
let stripe: Stripe;
const ahead = { ms: 0 };

beforeEach(async () => {
  inbox = startInbox();
  ahead.ms = 0;
  const now = () => Date.now() + ahead.ms;
  await start({ seed: "stories", webhook: { url: inbox.url }, retry: { firstMs: 20, capMs: 50 }, now });
});
afterEach(async () => {
  await simulator.stop();
  inbox.stop();
});

test("a checkout session can't be paid twice, even by twenty buyers at once", async () => {
  const { id, url } = await order();
  const answers = await Promise.all(Array.from({ length: 20 }, () => payOnPage(url)));
  expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: 20 }, () => 303));
  expect((await stripe.checkout.sessions.retrieve(id)).payment_status).toBe("paid");
  await simulator.flush();
  expect(inbox.types().filter((type) => type === "charge.succeeded")).toHaveLength(1);
});

const wanted = { enabled_events: ["*"] as Stripe.WebhookEndpointCreateParams.EnabledEvent[] };
test("an endpoint is on this machine, or refused as one that can't be reached", async () => {
  for (const url of ["http://127.0.0.1:1/", "http://[::1]:1/", "http://localhost:1/", "https://a.localhost/"])
    expect((await stripe.webhookEndpoints.create({ ...wanted, url })).url).toBe(url);
  for (const url of [
    "https://hooks.example.com/",
    "http://10.0.0.1/",
    "http://localhost.example.com/",
    "nowhere",
  ])
    expect(stripe.webhookEndpoints.create({ ...wanted, url })).rejects.toMatchObject({
      statusCode: 400,
      code: "url_invalid",
      param: "url",
    });
  expect(control("webhooks/url", { url: "https://hooks.example.com/" })).rejects.toThrow("url_invalid");
});

test("an endpoint that an earlier run kept elsewhere is sent nothing", async () => {
  await simulator.stop();
  await start({
    seed: "stories",
    webhook: { url: "http://192.0.2.1:9/" },
    retry: { firstMs: 5, capMs: 5 },
  });
  await payOnPage((await order()).url);
  expect(await simulator.flush(200)).toBe(false);
  const tried = simulator.ledger.deliveries.all().flatMap(({ attempts }) => attempts);
  expect(new Set(tried.map(({ note }) => note))).toEqual(new Set(["The URL is not on this machine."]));
});

test("the hosted page declines 4000 0000 0000 0002 in Stripe's words, and lets the buyer try another card", async () => {
  const { id, url } = await order();
  const refused = await (await payOnPage(url, { number: "4000 0000 0000 0002" })).text();
  expect(refused).toContain("Your card was declined.");
  expect(refused).not.toContain('value="4000');
  const open = await stripe.checkout.sessions.retrieve(id, { expand: ["payment_intent"] });
  expect(open.status).toBe("open");
  expect(objectOf(open.payment_intent)).toMatchObject({
    status: "requires_payment_method",
    last_payment_error: { code: "card_declined", decline_code: "generic_decline" },
  });
  expect((await payOnPage(url)).status).toBe(303);
  const paid = await stripe.checkout.sessions.retrieve(id);
  expect(paid).toMatchObject({ payment_status: "paid", payment_intent: objectOf(open.payment_intent).id });
});

test("the hosted page says what is wrong in each field, and takes no money", async () => {
  const { id, url } = await order();
  const wrong: [field: string, value: string, sentence: string][] = [
    ["number", "4242", "Your card number is incomplete."],
    ["number", "4111 1111 1111 1111", "test mode, but used a non test card"],
    ["expiry", "01/20", "Your card&#39;s expiration date is in the past."],
    ["cvc", "1", "Your card&#39;s security code is incomplete."],
    ["email", "mia@", "Your email address is incomplete."],
  ];
  for (const [field, value, sentence] of wrong)
    expect(await (await payOnPage(url, { [field]: value })).text()).toContain(sentence);
  expect(await stripe.checkout.sessions.retrieve(id)).toMatchObject({
    status: "open",
    payment_intent: null,
  });
});

test("the hosted page runs no inline script, loads nothing from elsewhere, and refuses another site's form", async () => {
  const { url } = await order({ name: `<img src=x onerror="alert(1)">` });
  const page = await fetch(url);
  const policy = page.headers.get("content-security-policy") ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("form-action 'self' http://shop.test;");
  expect(policy).not.toContain("unsafe");
  const html = await page.text();
  expect(html).not.toContain("<img");
  expect(html.match(/<script(?! src="\/_assets\/)/)).toBeNull();
  const foreign = await payOnPage(url, {}, { "sec-fetch-site": "cross-site" });
  expect(foreign.status).toBe(403);
});

test("the API refuses unknown objects and parameters, missing parameters, amounts that are too small, and what cannot be expanded", async () => {
  expect(await refusal(stripe.checkout.sessions.retrieve("cs_test_nothing"))).toMatchObject({
    type: "StripeInvalidRequestError",
    statusCode: 404,
    code: "resource_missing",
  });
  expect(await refusal(order({ amount: 49 }))).toMatchObject({ code: "amount_too_small" });
  expect(await refusal(stripe.checkout.sessions.create({ mode: "payment" }))).toMatchObject({
    statusCode: 400,
  });
  expect(await refusal(stripe.rawRequest("POST", "/v1/refunds", { price: 3 }))).toMatchObject({
    code: "parameter_unknown",
    param: "price",
  });
  const { id } = await order();
  expect((await refusal(stripe.checkout.sessions.retrieve(id, { expand: ["shoe_size"] }))).message).toContain(
    "cannot be expanded",
  );
  expect(await refusal(stripe.rawRequest("GET", "/v1/unicorns"))).toMatchObject({ statusCode: 404 });
});

test("the API refuses an idempotency key used for another request, and repeats the answer to the same one", async () => {
  const once = { idempotencyKey: "order-7" };
  const [first, second] = [await order({}, once), await order({}, once)];
  expect(second.id).toBe(first.id);
  expect((await stripe.checkout.sessions.list()).data).toHaveLength(1);
  expect(await refusal(order({ amount: 900 }, once))).toBeInstanceOf(Stripe.errors.StripeIdempotencyError);
});

test("the control page shows payments with the actions that make sense, and runs them", async () => {
  const { session } = await paidOrder();
  const html = await (await fetch(simulator.url)).text();
  expect(html).toContain("<button>Refund</button>");
  expect(html).not.toContain("<button>Pay</button>");
  const body = new URLSearchParams({ given: JSON.stringify({ session }), "json:amount": "200" });
  const form = { method: "POST", redirect: "manual", body } as const;
  expect((await fetch(`${simulator.url}/_do/refund`, form)).status).toBe(303);
  expect((await chargeOf(session)).amount_refunded).toBe(200);
  body.set("json:amount", "900");
  const refused = await fetch(`${simulator.url}/_do/refund`, form);
  expect(refused.headers.get("location")).toContain("Only+300+is+left");
  const foreign = { ...form, headers: { "sec-fetch-site": "cross-site" } };
  expect((await fetch(`${simulator.url}/_do/refund`, foreign)).status).toBe(403);
});

test("the ledger has the same ids for the same seed, and different ones for another", async () => {
  const first = await order();
  await simulator.stop();
  await start({ seed: "stories" });
  expect((await order()).id).toBe(first.id);
  await simulator.stop();
  await start({ seed: "other" });
  expect((await order()).id).not.toBe(first.id);
});

describe("a simulator with a data folder", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "stripe-simulator-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test("knows every payment after it was killed, and delivers the remaining events", async () => {
    const first = await program(folder, "http://127.0.0.1:9/");
    stripe = client("sk_test_demo", first.url);
    const paid = await order();
    await controlAt(first.url, "pay", { session: paid.id });
    first.process.kill("SIGKILL");
    await first.process.exited;

    const second = await program(folder, inbox.url);
    stripe = client("sk_test_demo", second.url);
    expect((await stripe.checkout.sessions.retrieve(paid.id)).payment_status).toBe("paid");
    const next = await order();
    expect(next.id).not.toBe(paid.id);
    expect(await controlAt(second.url, "flush", {})).toEqual({ quiet: true });
    expect(inbox.types()).toContain("checkout.session.completed");
    second.process.kill("SIGTERM");
    expect(await second.process.exited).toBe(0);
  });
});

async function start(options: StripeSimulatorOptions) {
  simulator = await startStripeSimulator(options);
  stripe = client(simulator.secretKey);
}

function client(key: string, url = simulator.url): Stripe {
  return new Stripe(key, {
    host: "127.0.0.1",
    port: new URL(url).port,
    protocol: "http",
    telemetry: false,
    maxNetworkRetries: 0,
  });
}

function order(thing: { name?: string; amount?: number } = {}, options: Stripe.RequestOptions = {}) {
  return stripe.checkout.sessions
    .create(
      {
        mode: "payment",
        line_items: [
          {
            quantity: 1,
            price_data: {
              currency: "usd",
              unit_amount: thing.amount ?? 500,
              product_data: { name: thing.name ?? "A thing" },
            },
          },
        ],
        success_url: "http://shop.test/success?session_id={CHECKOUT_SESSION_ID}",
        cancel_url: "http://shop.test/cancel",
        client_reference_id: "buyer-7",
        metadata: { order: "7" },
        payment_intent_data: { metadata: { order: "7" } },
      },
      options,
    )
    .then((session) => ({ ...session, lastResponse: session.lastResponse, url: String(session.url) }));
}

async function chargeOf(session: string): Promise<Stripe.Charge> {
  const paid = await stripe.checkout.sessions.retrieve(session, { expand: ["payment_intent.latest_charge"] });
  return objectOf(objectOf(paid.payment_intent).latest_charge);
}

async function paidOrder() {
  const { id } = await order();
  await control("pay", { session: id });
  const paid = await stripe.checkout.sessions.retrieve(id, { expand: ["payment_intent"] });
  return { session: id, intent: objectOf(paid.payment_intent).id };
}

function payOnPage(url: string, change: Record<string, string> = {}, headers: Record<string, string> = {}) {
  const fields = {
    method: "card",
    email: "mia@example.com",
    name: "Mia",
    number: "4242 4242 4242 4242",
    expiry: "12 / 34",
    cvc: "123",
    ...change,
  };
  return fetch(url, { method: "POST", redirect: "manual", headers, body: new URLSearchParams(fields) });
}

function control(action: string, body: object) {
  return controlAt(simulator.url, action, body);
}

async function controlAt(base: string, action: string, body: object): Promise<Record<string, unknown>> {
  const answer = await fetch(`${base}/_control/${action}`, { method: "POST", body: JSON.stringify(body) });
  const report: Record<string, unknown> = await answer.json();
  if (!answer.ok) throw new Error(`${action}: ${String(report["error"])}`);
  return report;
}

function startInbox() {
  const types: string[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      types.push(((await request.json()) as { type: string }).type);
      return new Response();
    },
  });
  return { url: server.url.href, types: () => types, stop: () => void server.stop(true) };
}

/** Starts the simulator as a separate program. */
async function program(dataDir: string, webhookUrl: string) {
  const main = new URL("../../../src/simulators/main.ts", import.meta.url).pathname;
  const options = ["stripe", "--data-dir", dataDir, "--webhook-url", webhookUrl, "--seed", "kill"];
  const started = Bun.spawn([process.execPath, main, ...options], { stdout: "pipe", stderr: "inherit" });
  const reader = started.stdout.getReader();
  const { value } = await reader.read();
  const ready: { url: string } = JSON.parse(new TextDecoder().decode(value));
  return { process: started, ...ready };
}
