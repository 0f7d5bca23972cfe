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

/** A shop's endpoint: it keeps what it was sent and answers as it is told. */
type Inbox = ReturnType<typeof startInbox>;
let inbox: Inbox;
let simulator: StripeSimulator;
let stripe: Stripe;

beforeEach(async () => {
  inbox = startInbox();
  await start({ seed: "stories", webhook: { url: inbox.url }, retry: { firstMs: 20, capMs: 50 } });
});
afterEach(async () => {
  await simulator.stop();
  inbox.stop();
});

describe("a checkout session", () => {
  test("is made open and unpaid, for the amount of its lines", async () => {
    const session = await order();
    expect(session).toMatchObject({
      object: "checkout.session",
      status: "open",
      payment_status: "unpaid",
      amount_total: 500,
      currency: "usd",
      livemode: false,
      payment_intent: null,
      metadata: { order: "7" },
      client_reference_id: "buyer-7",
    });
    expect(session.url).toStartWith(`${simulator.url}/c/pay/cs_test_`);
    expect(session.lastResponse.requestId).toStartWith("req_");
  });

  test("once paid, tells payment intent and charge in one question", async () => {
    const { id } = await order();
    await control("pay", { session: id, email: "mia@example.com" });
    const paid = await stripe.checkout.sessions.retrieve(id, {
      expand: ["payment_intent.latest_charge", "line_items"],
    });
    expect(paid).toMatchObject({ status: "complete", payment_status: "paid", url: null });
    expect(paid.customer_details?.email).toBe("mia@example.com");
    expect(paid.line_items?.data[0]).toMatchObject({ description: "A thing", amount_total: 500 });
    const intent = objectOf(paid.payment_intent);
    expect(intent).toMatchObject({ status: "succeeded", amount_received: 500, metadata: { order: "7" } });
    expect(objectOf(intent.latest_charge)).toMatchObject({
      paid: true,
      amount_captured: 500,
      payment_method_details: { type: "card", card: { last4: "4242" } },
    });
  });

  test("can't be paid twice, by twenty buyers at once either", async () => {
    const { id, url } = await order();
    const answers = await Promise.all(Array.from({ length: 20 }, () => payOnPage(url)));
    expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: 20 }, () => 303));
    expect((await stripe.charges.list()).data).toHaveLength(1);
    expect((await stripe.checkout.sessions.retrieve(id)).payment_status).toBe("paid");
  });

  test("is listed newest first, page by page, by time, state and payment intent", async () => {
    const made = [];
    for (let count = 0; count < 7; count += 1) made.push((await order()).id);
    const all: string[] = [];
    for await (const session of stripe.checkout.sessions.list({ limit: 3 })) all.push(session.id);
    expect(all).toEqual(made.toReversed());

    const first = await stripe.checkout.sessions.list({ limit: 3 });
    expect(first.has_more).toBe(true);
    const last = await stripe.checkout.sessions.list({ limit: 3, starting_after: made[1] });
    expect(last).toMatchObject({ has_more: false, data: [{ id: made[0] }] });

    await control("pay", { session: made[2] });
    const complete = await stripe.checkout.sessions.list({
      status: "complete",
      expand: ["data.payment_intent"],
    });
    expect(complete.data.map(({ id }) => id)).toEqual([made[2]!]);
    const intent = objectOf(complete.data[0]?.payment_intent);
    const byIntent = await stripe.checkout.sessions.list({ payment_intent: intent.id });
    expect(byIntent.data.map(({ id }) => id)).toEqual([made[2]!]);
    const later = Math.floor(Date.now() / 1000) + 3600;
    expect((await stripe.checkout.sessions.list({ created: { gte: later } })).data).toEqual([]);
    expect((await stripe.checkout.sessions.list({ created: { lt: later } })).data).toHaveLength(7);
  });

  test("expires by hand, and by itself when its time is over", async () => {
    const [byHand, byItself] = [await order(), await order()];
    expect(await stripe.checkout.sessions.expire(byHand.id)).toMatchObject({ status: "expired", url: null });
    await control("clock", { advance_seconds: 24 * 3600 + 60 });
    expect((await stripe.checkout.sessions.retrieve(byItself.id)).status).toBe("expired");
    await simulator.flush();
    expect(inbox.types()).toEqual(["checkout.session.expired", "checkout.session.expired"]);
    expect((await refusal(stripe.checkout.sessions.expire(byHand.id))).message).toContain(
      "Only Checkout Sessions",
    );
    expect((await fetch(`${simulator.url}/c/pay/${byHand.id}`)).status).toBe(410);
  });
});

describe("the hosted page", () => {
  test("takes 4242 and sends the buyer to the shop with the session's id", async () => {
    const { id, url } = await order();
    const answer = await payOnPage(url);
    expect(answer.headers.get("location")).toBe(`http://shop.test/success?session_id=${id}`);
    const again = await fetch(url, { redirect: "manual" });
    expect(again.headers.get("location")).toBe(`http://shop.test/success?session_id=${id}`);
  });

  test("declines 4000 0000 0000 0002 in Stripe's words, and lets the buyer try another card", async () => {
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

  test("names what is wrong with what was typed, and takes no money", async () => {
    const { url } = await order();
    const wrong: [field: string, value: string, sentence: string][] = [
      ["number", "4242", "Your card number is incomplete."],
      ["number", "4242 4242 4242 4241", "Your card number is invalid."],
      ["number", "4111 1111 1111 1111", "test mode, but used a non test card"],
      ["expiry", "01/20", "Your card&#39;s expiration year is in the past."],
      ["cvc", "1", "Your card&#39;s security code is incomplete."],
      ["email", "mia@", "Your email address is incomplete."],
    ];
    for (const [field, value, sentence] of wrong)
      expect(await (await payOnPage(url, { [field]: value })).text()).toContain(sentence);
    expect((await stripe.charges.list()).data).toEqual([]);
  });

  test("runs no inline script, loads nothing from elsewhere, and refuses another site's form", async () => {
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
});

describe("a delayed method", () => {
  test("completes unpaid, and is paid when the bank has paid", async () => {
    const { id, url } = await order();
    expect((await payOnPage(url, { method: "bank" })).status).toBe(303);
    const waiting = await stripe.checkout.sessions.retrieve(id, { expand: ["payment_intent.latest_charge"] });
    expect(waiting).toMatchObject({ status: "complete", payment_status: "unpaid" });
    expect(objectOf(waiting.payment_intent).status).toBe("processing");
    await control("settle", { session: id, outcome: "succeed" });
    expect((await stripe.checkout.sessions.retrieve(id)).payment_status).toBe("paid");
    await simulator.flush();
    expect(inbox.types()).toContain("checkout.session.async_payment_succeeded");
  });

  test("stays unpaid when the bank refuses", async () => {
    const { id } = await order();
    await control("pay", { session: id, outcome: "processing" });
    await control("settle", { session: id, outcome: "fail" });
    const failed = await stripe.checkout.sessions.retrieve(id, { expand: ["payment_intent"] });
    expect(failed).toMatchObject({ status: "complete", payment_status: "unpaid" });
    expect(objectOf(failed.payment_intent).last_payment_error?.message).toContain("bank refused");
    await simulator.flush();
    expect(inbox.types()).toContain("checkout.session.async_payment_failed");
  });
});

describe("money back", () => {
  test("a part leaves the charge standing, the rest refunds it whole, and more is refused", async () => {
    const { intent, charge } = await paidOrder();
    await stripe.refunds.create({ payment_intent: intent, amount: 200 });
    expect(await stripe.charges.retrieve(charge)).toMatchObject({ amount_refunded: 200, refunded: false });
    expect((await refusal(stripe.refunds.create({ charge, amount: 400 }))).message).toContain(
      "Refund amount ($4.00) is greater than unrefunded amount on charge ($3.00)",
    );
    await stripe.refunds.create({ charge });
    expect(await stripe.charges.retrieve(charge)).toMatchObject({ amount_refunded: 500, refunded: true });
    expect(await refusal(stripe.refunds.create({ charge }))).toMatchObject({
      code: "charge_already_refunded",
    });
    expect((await stripe.refunds.list({ payment_intent: intent })).data.map(({ amount }) => amount)).toEqual([
      300, 200,
    ]);
  });

  test("a refund that fails gives its amount back to the charge", async () => {
    const { session, charge } = await paidOrder();
    const made = await control("refund", { session });
    await control("refund/move", { refund: made["id"], status: "failed" });
    expect(await stripe.charges.retrieve(charge)).toMatchObject({ amount_refunded: 0, refunded: false });
    expect((await stripe.refunds.retrieve(String(made["id"]))).status).toBe("failed");
    await simulator.flush();
    expect(inbox.types()).toContain("refund.failed");
  });
});

describe("a dispute", () => {
  test("goes from opened over under review to won, with its events", async () => {
    const { session, intent, charge } = await paidOrder();
    await control("dispute", { session });
    const { data } = await stripe.disputes.list({ payment_intent: intent });
    expect(data).toMatchObject([{ status: "needs_response", amount: 500, charge }]);
    expect((await stripe.charges.retrieve(charge)).disputed).toBe(true);
    expect(await refusal(stripe.refunds.create({ charge }))).toMatchObject({ code: "charge_disputed" });

    const sent = await stripe.disputes.update(data[0]!.id, {
      evidence: { customer_name: "Mia" },
      submit: true,
    });
    expect(sent).toMatchObject({
      status: "under_review",
      evidence: { customer_name: "Mia" },
      evidence_details: { has_evidence: true, submission_count: 1 },
    });
    await control("dispute", { session, status: "won" });
    await simulator.flush();
    // In no promised order, as at Stripe.
    const about = inbox.types().filter((type) => type.startsWith("charge.dispute"));
    expect(about.toSorted()).toEqual([
      "charge.dispute.closed",
      "charge.dispute.created",
      "charge.dispute.funds_reinstated",
      "charge.dispute.funds_withdrawn",
      "charge.dispute.updated",
    ]);
  });

  test("that is only an inquiry takes no money and may be closed", async () => {
    const { session, intent } = await paidOrder();
    await control("dispute", { session, status: "warning_needs_response" });
    await control("dispute", { session, status: "warning_closed" });
    expect((await stripe.disputes.list({ payment_intent: intent })).data[0]?.status).toBe("warning_closed");
    await simulator.flush();
    expect(inbox.types()).not.toContain("charge.dispute.funds_withdrawn");
  });

  test("that was lost stays closed to evidence", async () => {
    const { session, intent } = await paidOrder();
    await control("dispute", { session });
    const [opened] = (await stripe.disputes.list({ payment_intent: intent })).data;
    expect((await stripe.disputes.close(opened!.id)).status).toBe("lost");
    expect(
      (await refusal(stripe.disputes.update(opened!.id, { evidence: { customer_name: "Mia" } }))).message,
    ).toContain("closed");
  });

  test("may be foretold by an early fraud warning", async () => {
    const { session, charge } = await paidOrder();
    await control("warning", { session });
    const { data } = await stripe.radar.earlyFraudWarnings.list({ charge });
    expect(data).toMatchObject([{ charge, actionable: true }]);
    await simulator.flush();
    expect(inbox.types()).toContain("radar.early_fraud_warning.created");
  });
});

describe("the API refuses", () => {
  test("a missing or wrong key, without saying the right one", async () => {
    const stranger = client("sk_test_somebody_else");
    const refused = await refusal(stranger.balance.retrieve());
    expect(refused).toBeInstanceOf(Stripe.errors.StripeAuthenticationError);
    expect(refused.message).toStartWith("Invalid API Key provided: sk_test_****");
    expect((await fetch(`${simulator.url}/v1/balance`)).status).toBe(401);
    expect((await stripe.balance.retrieve()).livemode).toBe(false);
    expect((await stripe.accounts.retrieveCurrent()).charges_enabled).toBe(true);
  });

  test("what does not exist, what is missing, unknown, too small or not to be expanded", async () => {
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
    expect(
      (await refusal(stripe.checkout.sessions.retrieve(id, { expand: ["shoe_size"] }))).message,
    ).toContain("cannot be expanded");
    expect(await refusal(stripe.rawRequest("GET", "/v1/unicorns"))).toMatchObject({ statusCode: 404 });
  });

  test("a key used again for another request, and repeats the answer for the same one", async () => {
    const once = { idempotencyKey: "order-7" };
    const [first, second] = [await order({}, once), await order({}, once)];
    expect(second.id).toBe(first.id);
    expect((await stripe.checkout.sessions.list()).data).toHaveLength(1);
    expect(await refusal(order({ amount: 900 }, once))).toBeInstanceOf(Stripe.errors.StripeIdempotencyError);
  });
});

describe("faults", () => {
  test("the next calls fail as told, and the SDK's own retry gets through", async () => {
    await control("faults", { api: { next: [{ fail: 503, count: 1 }] } });
    expect(await refusal(stripe.balance.retrieve())).toBeInstanceOf(Stripe.errors.StripeAPIError);
    await control("faults", { api: { next: [{ fail: 429, count: 1 }] } });
    expect(await refusal(stripe.balance.retrieve())).toBeInstanceOf(Stripe.errors.StripeRateLimitError);
    await control("faults", { api: { next: [{ fail: 500, count: 1 }] } });
    expect((await stripe.balance.retrieve({}, { maxNetworkRetries: 1 })).object).toBe("balance");
  });

  test("a call whose answer is lost has its effect once, however often it is repeated", async () => {
    await control("faults", { api: { next: [{ fail: "drop", count: 1, when: "after", method: "POST" }] } });
    const session = await order({}, { maxNetworkRetries: 1 });
    expect((await stripe.checkout.sessions.list()).data.map(({ id }) => id)).toEqual([session.id]);
  });

  test("Stripe away answers nobody until it is back", async () => {
    await control("faults", { api: { away: true } });
    expect(await refusal(stripe.balance.retrieve())).toBeInstanceOf(Stripe.errors.StripeConnectionError);
    await fetch(`${simulator.url}/_control/faults`, { method: "DELETE" });
    expect((await stripe.balance.retrieve()).object).toBe("balance");
  });
});

describe("webhooks", () => {
  test("carry a signature that the SDK accepts, and the object as it was", async () => {
    const { session, intent } = await paidOrder();
    await simulator.flush();
    const events = await Promise.all(inbox.letters.map((letter) => open(letter)));
    expect(events.map(({ type }) => type).toSorted()).toEqual([
      "charge.succeeded",
      "checkout.session.completed",
      "payment_intent.created",
      "payment_intent.succeeded",
    ]);
    const completed = events.find((event) => event.type === "checkout.session.completed");
    expect(completed?.data.object).toMatchObject({
      id: session,
      payment_intent: intent,
      payment_status: "paid",
    });
    expect(completed).toMatchObject({ livemode: false, api_version: Stripe.API_VERSION });
    expect((await stripe.events.retrieve(completed!.id)).data.object).toMatchObject({ id: session });
    const forged = { ...inbox.letters[0]!, payload: `${inbox.letters[0]!.payload} ` };
    expect(await refusal(open(forged))).toBeInstanceOf(Stripe.errors.StripeSignatureVerificationError);
  });

  test("come again until the shop takes them", async () => {
    inbox.answerWith([500, 503, 400]);
    await stripe.checkout.sessions.expire((await order()).id);
    expect(await simulator.flush()).toBe(true);
    expect(inbox.letters).toHaveLength(4);
    expect(new Set(inbox.letters.map(({ payload }) => idOf(payload))).size).toBe(1);
  });

  test("wait for a shop that is away, without slowing the API", async () => {
    simulator.setWebhookUrl("http://127.0.0.1:9/");
    const { session } = await paidOrder();
    expect(await simulator.flush(200)).toBe(false);
    simulator.setWebhookUrl(inbox.url);
    expect(await simulator.flush()).toBe(true);
    expect(inbox.types()).toContain("checkout.session.completed");
    expect((await stripe.checkout.sessions.retrieve(session)).payment_status).toBe("paid");
  });

  test("can be lost, repeated, and sent again by hand", async () => {
    await control("faults", { webhooks: { drop: "all" } });
    await stripe.checkout.sessions.expire((await order()).id);
    await simulator.flush();
    expect(inbox.letters).toEqual([]);
    const [lost] = (await stripe.events.list({ type: "checkout.session.expired" })).data;
    await control("webhooks/redeliver", { event: lost!.id });
    await simulator.flush();
    expect(inbox.letters).toHaveLength(1);

    await control("faults", { webhooks: { drop: 0, repeat: 5 } });
    await stripe.checkout.sessions.expire((await order()).id);
    await simulator.flush();
    expect(inbox.letters).toHaveLength(6);
  });

  test("can overtake each other", async () => {
    await control("faults", { webhooks: { shuffleMs: 200 } });
    const made = [];
    for (let count = 0; count < 12; count += 1) made.push((await order()).id);
    for (const id of made) await stripe.checkout.sessions.expire(id);
    await untilLetters(12);
    const arrived = inbox.letters.map(({ payload }) => String(JSON.parse(payload).data.object.id));
    expect(arrived.toSorted()).toEqual(made.toSorted());
    expect(arrived).not.toEqual(made);
  });
});

describe("the ledger", () => {
  test("tells of each session what was paid, given back and disputed", async () => {
    const { session, intent, charge } = await paidOrder();
    await stripe.refunds.create({ charge, amount: 100 });
    await control("dispute", { session });
    const { id: open } = await order();
    const ledger = await (await fetch(`${simulator.url}/_control/ledger`)).json();
    expect(ledger).toMatchObject({
      sessions: [
        {
          session,
          payment_intent: intent,
          status: "complete",
          paid: true,
          amount: 500,
          refunded: 100,
          fully_refunded: false,
          dispute: { status: "needs_response" },
          metadata: { order: "7" },
        },
        { session: open, status: "open", paid: false, refunded: 0, dispute: null },
      ],
    });
  });

  test("names the same things from the same seed, and others from another", async () => {
    const first = await order();
    await simulator.stop();
    await start({ seed: "stories" });
    expect((await order()).id).toBe(first.id);
    await simulator.stop();
    await start({ seed: "other" });
    expect((await order()).id).not.toBe(first.id);
  });
});

describe("a stand-in with a data folder", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "stripe-stand-in-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test("killed and started again, knows every payment and delivers what it still owes", async () => {
    const first = await program(folder, "http://127.0.0.1:9/");
    stripe = client("sk_test_demo", first.port);
    const paid = await order();
    await controlAt(first.url, "pay", { session: paid.id });
    first.process.kill("SIGKILL");
    await first.process.exited;

    const second = await program(folder, inbox.url);
    stripe = client("sk_test_demo", second.port);
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

function client(key: string, port = simulator.port): Stripe {
  return new Stripe(key, {
    host: "127.0.0.1",
    port,
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

async function paidOrder() {
  const { id } = await order();
  await control("pay", { session: id });
  const paid = await stripe.checkout.sessions.retrieve(id, { expand: ["payment_intent"] });
  const intent = objectOf(paid.payment_intent);
  return { session: id, intent: intent.id, charge: nameOf(intent.latest_charge) };
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
  const told: Record<string, unknown> = await answer.json();
  if (!answer.ok) throw new Error(`${action}: ${String(told["error"])}`);
  return told;
}

function objectOf<T extends { id: string }>(reference: string | T | null | undefined): T {
  if (reference === null || reference === undefined || typeof reference === "string")
    throw new Error(`not expanded: ${reference}`);
  return reference;
}

function nameOf(reference: string | { id: string } | null): string {
  if (typeof reference === "string") return reference;
  throw new Error("not an id");
}

async function refusal(call: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeError) return error;
    throw error;
  }
  throw new Error("It was not refused.");
}

type Letter = { payload: string; signature: string };

function startInbox() {
  const letters: Letter[] = [];
  let answers: number[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const signature = request.headers.get("stripe-signature") ?? "";
      letters.push({ payload: await request.text(), signature });
      return new Response(null, { status: answers.shift() ?? 200 });
    },
  });
  return {
    url: server.url.href,
    letters,
    types: () => letters.map(({ payload }) => String(JSON.parse(payload).type)),
    answerWith(statuses: number[]) {
      answers = [...statuses];
    },
    stop: () => void server.stop(true),
  };
}

function open({ payload, signature }: Letter): Promise<Stripe.Event> {
  return stripe.webhooks.constructEventAsync(payload, signature, simulator.webhookSecret);
}

function idOf(payload: string): string {
  return String(JSON.parse(payload).id);
}

async function untilLetters(count: number) {
  const deadline = Date.now() + 5000;
  while (inbox.letters.length < count && Date.now() < deadline) await Bun.sleep(10);
}

/** The stand-in as a program of its own. */
async function program(dataDir: string, webhookUrl: string) {
  const main = new URL("../../src/simulators/stripe/main.ts", import.meta.url).pathname;
  const options = ["--port", "0", "--data-dir", dataDir, "--webhook-url", webhookUrl, "--seed", "kill"];
  const started = Bun.spawn([process.execPath, main, ...options], { stdout: "pipe", stderr: "inherit" });
  const reader = started.stdout.getReader();
  const { value } = await reader.read();
  const ready: { url: string; port: number } = JSON.parse(new TextDecoder().decode(value));
  return { process: started, ...ready };
}
