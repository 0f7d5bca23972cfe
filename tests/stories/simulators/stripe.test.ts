import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Stripe from "stripe";
import {
  type StripeSimulator,
  type StripeSimulatorOptions,
  startStripeSimulator,
} from "@/simulators/stripe/simulator";
import { control as controlAt } from "../../support/network/control";

/** A shop's endpoint: keeps the types of the events that it receives. */
type Inbox = ReturnType<typeof startInbox>;
let inbox: Inbox;
let simulator: StripeSimulator;
let stripe: Stripe;

beforeEach(async () => {
  inbox = startInbox();
  await start({ webhook: { url: inbox.url }, retry: { firstMs: 20, capMs: 50 } });
});
afterEach(async () => {
  await simulator.stop();
  inbox.stop();
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
  await start({ webhook: { url: "http://192.0.2.1:9/" }, retry: { firstMs: 5, capMs: 5 } });
  await control("pay", { session: (await order()).id });
  expect(await simulator.flush(200)).toBe(false);
  const tried = simulator.ledger.deliveries.all().flatMap(({ attempts }) => attempts);
  expect(new Set(tried.map(({ note }) => note))).toEqual(new Set(["The URL is not on this machine."]));
});

test("the hosted page runs no inline script, loads nothing from elsewhere, and refuses another site's form", async () => {
  const url = String((await order(`<img src=x onerror="alert(1)">`)).url);
  const page = await fetch(url);
  const policy = page.headers.get("content-security-policy") ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("form-action 'self' http://shop.test;");
  expect(policy).not.toContain("unsafe");
  const html = await page.text();
  expect(html).not.toContain("<img");
  expect(html.match(/<script(?! src="\/_assets\/)/)).toBeNull();
  const foreign = await fetch(url, { method: "POST", headers: { "sec-fetch-site": "cross-site" } });
  expect(foreign.status).toBe(403);
});

test("the control page shows payments with the actions that make sense, and runs them", async () => {
  const { id: session } = await order();
  await control("pay", { session });
  const html = await (await fetch(simulator.url)).text();
  expect(html).toContain("<button>Refund</button>");
  expect(html).not.toContain("<button>Pay</button>");
  const body = new URLSearchParams({ given: JSON.stringify({ session }), "json:amount": "200" });
  const form = { method: "POST", redirect: "manual", body } as const;
  expect((await fetch(`${simulator.url}/_do/refund`, form)).status).toBe(303);
  expect(simulator.ledger.charges.all()[0]?.amount_refunded).toBe(200);
  body.set("json:amount", "900");
  const refused = await fetch(`${simulator.url}/_do/refund`, form);
  expect(refused.headers.get("location")).toContain("Only+300+is+left");
  const foreign = { ...form, headers: { "sec-fetch-site": "cross-site" } };
  expect((await fetch(`${simulator.url}/_do/refund`, foreign)).status).toBe(403);
});

test("evidence is staged or sent once, and is refused where it is too long or unknown", async () => {
  const { id, intent } = await disputed("needs_response");
  const evidence = { uncategorized_text: "It was downloaded." };
  const refused = (wanted: Stripe.DisputeUpdateParams) => stripe.disputes.update(id, wanted);
  expect(refused({ evidence: { uncategorized_text: "x".repeat(20_001) } })).rejects.toMatchObject({
    statusCode: 400,
    param: "evidence[uncategorized_text]",
  });
  expect(refused({ evidence: { shoe_size: "9" } as never })).rejects.toMatchObject({ statusCode: 400 });
  const staged = await stripe.disputes.update(id, { evidence, submit: false });
  expect(staged).toMatchObject({
    status: "needs_response",
    evidence_details: { has_evidence: true, submission_count: 0 },
  });
  const sent = await stripe.disputes.update(id, {});
  expect(sent).toMatchObject({ status: "under_review", evidence, evidence_details: { submission_count: 1 } });
  expect(refused({ evidence })).rejects.toMatchObject({ statusCode: 400 });
  expect(stripe.disputes.close(id)).rejects.toMatchObject({ statusCode: 400 });
  expect(stripe.refunds.create({ payment_intent: intent })).rejects.toMatchObject({
    code: "charge_disputed",
  });
});

test("a closed dispute is lost for good, and an inquiry is closed by a full refund", async () => {
  const { id } = await disputed("needs_response");
  expect(await stripe.disputes.close(id)).toMatchObject({ status: "lost" });
  expect(stripe.disputes.close(id)).rejects.toMatchObject({ statusCode: 400 });
  expect(stripe.disputes.update(id, { evidence: {} })).rejects.toMatchObject({ statusCode: 400 });
  const inquiry = await disputed("warning_needs_response");
  await stripe.refunds.create({ payment_intent: inquiry.intent });
  expect(await stripe.disputes.list({ payment_intent: inquiry.intent })).toMatchObject({
    data: [{ id: inquiry.id, status: "warning_closed" }],
  });
  await simulator.flush();
  expect(inbox.types().filter((type) => type === "charge.dispute.closed")).toHaveLength(2);
});

async function disputed(status: string): Promise<{ id: string; intent: string }> {
  const { id: session } = await order();
  await control("pay", { session });
  const { id, payment_intent: intent } = (await control("dispute", { session, status })) as {
    id: string;
    payment_intent: string;
  };
  return { id, intent };
}

test("with a data folder it knows every payment after it was killed, and delivers the remaining events", async () => {
  const folder = mkdtempSync(join(tmpdir(), "stripe-simulator-"));
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
  rmSync(folder, { recursive: true });
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

const order = (name = "A thing") =>
  stripe.checkout.sessions.create({
    mode: "payment",
    line_items: [{ quantity: 1, price_data: { currency: "usd", unit_amount: 500, product_data: { name } } }],
    success_url: "http://shop.test/success?session_id={CHECKOUT_SESSION_ID}",
    cancel_url: "http://shop.test/cancel",
  });

function control(action: string, body: object) {
  return controlAt(simulator.url, action, body);
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
