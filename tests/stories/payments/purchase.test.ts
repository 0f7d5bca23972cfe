import { expect, test } from "bun:test";
import { mailsTo } from "../accounts/people";
import Stripe from "stripe";
import { day, hour } from "@/contract/vocabulary/time";
import { maskKey } from "@/domain/licences/keys/keys";
import { openStage, eventually, type Stage } from "../../support/shop/stage";
import type { Person } from "../../support/people/person";
import { checkout, verify } from "../../support/people/buyer";

const receipts = (stage: Stage, to: string) =>
  stage.mail.messages(to).filter((message) => message.subject.includes("key"));

test("a visitor buys, receives a key by mail, registers with it and has the licence", async () => {
  await using stage = await openStage();
  const ada = stage.person();
  const session = await checkout(ada);
  await stage.stripeTells("pay", { session, email: "ada@example.com" });

  const result = await verify(ada, session);
  expect(result.body).toMatchObject({
    status_message: "Payment Verified",
    data: { status: "Payment Successful", currency: "usd", amount: 500, email: "ada@example.com" },
  });
  const key: string = result.body.data.license_key;
  const [email] = await mailsTo(stage, "ada@example.com");
  expect(email?.text).toContain(key);
  await eventually(async () => (await verify(ada, session)).body.data.sent_receipt === true);

  expect((await ada.register(key, "ada")).status).toBe(200);
  expect((await ada.get("/api/user/me")).body.data).toMatchObject({ username: "ada", active_license: true });
  expect((await ada.get("/api/licenses/me")).body.data).toMatchObject([
    { key, type: "premium", active: true, disputed: false, expiry_date: null },
  ]);
  expect((await ada.get("/api/payments/")).body.data).toMatchObject([
    { status: "succeeded", payment_method: "card", license_key: key },
  ]);

  const twice = await stage.person().register(key, "eve");
  expect(twice.status).toBe(409);
  expect(twice.body.code).toBe("license_taken");
});

test("a session that this shop did not create sells nothing", async () => {
  await using stage = await openStage();
  const { default: Stripe } = await import("stripe");
  const { hostname: host, port } = new URL(stage.stripe.url);
  const foreign = await new Stripe(stage.stripe.secretKey, {
    host,
    port,
    protocol: "http",
  }).checkout.sessions.create({
    mode: "payment",
    line_items: [
      { quantity: 1, price_data: { currency: "usd", unit_amount: 500, product_data: { name: "x" } } },
    ],
    success_url: "http://localhost/",
  });
  await stage.stripeTells("pay", { session: foreign.id, email: "x@example.com" });
  expect((await verify(stage.person(), foreign.id)).body.code).toBe("payment_unknown");
  expect(await stage.count("licences")).toBe(0);
});

test("an order copied onto another session sells nothing", async () => {
  await using stage = await openStage({ webhooks: false });
  const [bought, second] = [await stage.buy(), await checkout(stage.person())];
  const { metadata } = (await stage.atStripe("pay", { session: second })) as { metadata: object };
  expect(Object.keys(metadata)).toContain("seal");
  await stage.ctx.store.client.execute(`DELETE FROM payments WHERE session_id = '${second}'`);
  const first = await fetch(`${stage.stripe.url}/_control/ledger/${bought.sessionId}`);
  await stage.atStripe("alter", { session: second, metadata: (await first.json()).metadata });
  expect((await verify(stage.person(), second)).body.code).toBe("payment_unknown");
});

test("only the browser that bought sees the whole key, for a day and until it is redeemed", async () => {
  await using stage = await openStage();
  const [buyer, other] = [stage.person(), stage.person()];
  const session = await checkout(buyer);
  await stage.atStripe("pay", { session, email: "k@example.com" });
  const seenBy = async (person: Person) => (await verify(person, session)).body.data.license_key as string;
  const whole = /^WISP(-[0-9A-Z]{4}){4}$/;
  const key = await seenBy(buyer);
  expect(key).toMatch(whole);
  expect(await seenBy(other)).not.toMatch(whole);
  expect(await seenBy(other)).toEndWith(key.slice(-4));
  stage.advance(25 * hour);
  expect(await seenBy(buyer)).not.toMatch(whole);
  stage.advance(-25 * hour);
  expect(await seenBy(buyer)).toMatch(whole);
  const owner = stage.person();
  await owner.register(key, "owner");
  expect(await seenBy(buyer)).not.toMatch(whole);
  expect(await seenBy(owner)).toMatch(whole);
});

test("an unreachable Stripe at checkout is reported in our words, and the next try succeeds", async () => {
  await using stage = await openStage();
  await stage.atStripe("faults", { api: { away: true } });
  const away = await stage.person().post("/api/stripe/create-checkout-session", { currency: "usd" });
  expect(away.status).toBe(502);
  expect(away.body.code).toBe("checkout_unreachable");
  await stage.atStripe("faults", { api: { away: false } });
  expect((await stage.person().post("/api/stripe/create-checkout-session", { currency: "usd" })).status).toBe(
    200,
  );
});

test("a webhook during a Stripe outage is refused, repeated, and settles", async () => {
  await using stage = await openStage();
  const session = await checkout(stage.person());
  await stage.atStripe("faults", { api: { away: true } });
  await stage.atStripe("pay", { session, email: "later@example.com" });
  await eventually(() => stage.lines.some((line) => line.includes("a webhook could not be settled")));
  await stage.atStripe("faults", { api: { away: false } });
  await eventually(() => stage.mail.messages("later@example.com").length === 1);
});

test("an unreachable mail server delays the receipt and loses nothing", async () => {
  await using stage = await openStage();
  const buyer = stage.person();
  const session = await checkout(buyer);
  stage.mail.setFaults({ mode: "reject-4xx" });
  await stage.stripeTells("pay", { session, email: "wait@example.com" });
  await stage.shop.worker.drain();
  expect((await verify(buyer, session)).body.data.sent_receipt).toBe(false);
  await stage.acceptMail(hour);
  expect(stage.mail.messages("wait@example.com")).toHaveLength(1);
  expect((await verify(buyer, session)).body.data.sent_receipt).toBe(true);
});

test("forged, stale and foreign webhooks are refused", async () => {
  await using stage = await openStage();
  const { default: Stripe } = await import("stripe");
  const payload = JSON.stringify({ id: "evt_1", object: "event", type: "x", data: { object: {} } });
  const send = async (signature: string) =>
    (
      await stage.person().send("POST", "/api/stripe/webhook", {
        body: payload,
        headers: { "stripe-signature": signature },
      })
    ).status;
  const sign = (secret: string, timestamp: number) =>
    new Stripe("sk_test_x").webhooks.generateTestHeaderStringAsync({ payload, secret, timestamp });
  const seconds = Math.floor(Date.now() / 1000);
  expect(await send("")).toBe(400);
  expect(await send("t=1,v1=00")).toBe(400);
  expect(await send(await sign("whsec_another", seconds))).toBe(400);
  expect(await send(await sign(stage.stripe.webhookSecret, seconds - 3600))).toBe(400);
  expect(await send(await sign(stage.stripe.webhookSecret, seconds))).toBe(200);
});

test("the receipt's link opens the payment's page later in another browser, where key and email are masked", async () => {
  await using stage = await openStage();
  const buyer = stage.person();
  const session = await checkout(buyer);
  await stage.stripeTells("pay", { session, email: "mia@example.com" });
  const [email] = await eventually(
    () => receipts(stage, "mia@example.com"),
    (emails) => emails.length > 0,
  );
  const link = new URL(/See this payment:\n(\S+)/.exec(email?.text ?? "")?.[1] ?? "");
  expect([link.origin, link.pathname]).toEqual([stage.url.origin, "/success"]);
  expect(email?.html).toContain(link.href);
  const opened = link.searchParams.get("session_id") ?? "";

  const key: string = (await verify(buyer, opened)).body.data.license_key;
  const masked = { license_key: maskKey(key), email: "m•••@e•••.com" };
  expect((await verify(buyer, opened)).body.data).toMatchObject({ email: "mia@example.com" });
  stage.advance(40 * day);
  for (const person of [stage.person(), buyer]) {
    const { data, status_message } = (await verify(person, opened)).body;
    expect(status_message).toBe("Payment Verified");
    expect(data).toMatchObject({ status: "Payment Successful", amount: 500, ...masked });
  }
  const owner = stage.person();
  await owner.register(key, "mia");
  expect((await verify(owner, opened)).body.data).toMatchObject({
    license_key: key,
    email: "mia@example.com",
  });
  expect((await verify(stage.person(), opened)).body.data).toMatchObject(masked);
});

test("a stranger with the session's id sees a masked email even before there is a key", async () => {
  await using stage = await openStage();
  const buyer = stage.person();
  const session = await checkout(buyer);
  await stage.atStripe("pay", { session, email: "slow@sub.example.co.uk", outcome: "processing" });
  expect((await verify(buyer, session)).body.data.email).toBe("slow@sub.example.co.uk");
  expect((await verify(stage.person(), session)).body.data.email).toBe("s•••@s•••.uk");
});

test("a signed webhook about something unknown is accepted, and one without JSON gets a 400", async () => {
  await using stage = await openStage({ webhooks: false });
  const about = (object: unknown) => ({ data: { object } });
  const odd: unknown[] = [
    about(null),
    about("cs_1"),
    about([]),
    about({ object: null }),
    about({ object: "checkout.session", id: null }),
    about({ object: "charge", payment_intent: 5 }),
    { data: null },
    {},
    [],
    null,
    5,
  ];
  for (const body of odd)
    expect([body, await signed(stage, JSON.stringify(body))]).toEqual([body, [200, undefined]]);
  for (const body of ["{", "nothing"]) {
    expect([body, await signed(stage, body)]).toEqual([body, [400, "webhook_malformed"]]);
  }
});

/** Delivers a body with a matching signature. */
async function signed(stage: Stage, payload: string): Promise<[number, string | undefined]> {
  const stripe = new Stripe(stage.stripe.secretKey);
  const signature = await stripe.webhooks.generateTestHeaderStringAsync({
    payload,
    secret: stage.stripe.webhookSecret,
  });
  const headers = { "stripe-signature": signature };
  const answer = await fetch(stage.webhookUrl(), { method: "POST", headers, body: payload });
  return [answer.status, ((await answer.json()) as { code?: string }).code];
}

test("each checkout sets its own mark in the browser's cookie, so a planted mark reveals no key", async () => {
  await using stage = await openStage();
  const [eve, pia] = [stage.person(), stage.person()];
  await checkout(eve);
  const planted = eve.cookies.get("checkout") ?? "";
  expect(planted).not.toBe("");
  pia.cookies.set("checkout", planted);
  const session = await checkout(pia);
  await stage.stripeTells("pay", { session, email: "pia@example.com" });
  const seenBy = async (person: Person) => (await verify(person, session)).body.data.license_key as string;
  const key = await seenBy(pia);
  expect(key).not.toContain("•");
  expect(await seenBy(eve)).toBe(maskKey(key));
  pia.cookies.set("checkout", planted);
  expect(await seenBy(pia)).toBe(maskKey(key));
});

test("checkouts in several tabs of a browser each show their key in it", async () => {
  await using stage = await openStage();
  const pia = stage.person();
  const sessions: string[] = [];
  for (let tab = 0; tab < 10; tab += 1) sessions.push(await checkout(pia));
  expect((pia.cookies.get("checkout") ?? "").length).toBeLessThan(500);
  for (const session of sessions) {
    await stage.atStripe("pay", { session, email: "pia@example.com" });
    const { license_key: key } = (await verify(pia, session)).body.data;
    expect(key).not.toContain("•");
  }
  // nonsense in the cookie is dropped, and costs neither an error nor the place of a mark
  pia.cookies.set("checkout", `x.${pia.cookies.get("checkout")}.${"y".repeat(5_000)}`);
  expect((await verify(pia, sessions[0] ?? "")).body.data.license_key).not.toContain("•");
});
