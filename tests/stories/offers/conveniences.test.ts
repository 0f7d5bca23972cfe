import { expect, test } from "bun:test";
import { operated } from "../../support/operator/run-operator";
import type { Stage } from "../../support/shop/stage";
import { openSubscriptionShop, password, stripeOf } from "../subscriptions/subscriber";

const why = ["--reason", "a test"];

const open = (stage: Stage, order: object, person = stage.person()) =>
  person.post("/api/stripe/create-checkout-session", { currency: "usd", offer: "premium", ...order });

async function signedIn(stage: Stage, email: string) {
  const person = stage.person();
  const registered = await person.post("/api/auth/register", {
    username: "ada",
    email,
    password,
    key: await stage.handOut(1),
    timezone: "UTC",
  });
  expect(registered.status).toBe(200);
  return person;
}

test("an address that Stripe refuses to be told refuses no order; the buyer types one at Stripe", async () => {
  for (const [email, told] of [
    ["rené@example.com", null],
    ["rene@exämple.com", "rene@xn--exmple-cua.com"],
    ["rené@exämple.com", null],
  ] as const) {
    await using stage = await openSubscriptionShop();
    const ada = await signedIn(stage, email);
    for (const order of [{}, { offer: "month" }, { gift: { email: "bob@example.com" } }]) {
      const { status, body } = await open(stage, order, ada);
      expect([email, order, status]).toEqual([email, order, 200]);
      const { customer_email: asked } = await stripeOf(stage).checkout.sessions.retrieve(body.data.id);
      expect(asked).toBe(told);
    }
  }
});

test("a code that Stripe refuses for an order comes back as the code's mistake, with Stripe's reason", async () => {
  await using stage = await openSubscriptionShop();
  await operated(stage, "codes", "create", "EUROS", "--percent", "50", ...why);
  const { id: coupon } = await stripeOf(stage).coupons.create({ duration: "once", percent_off: 50 });
  await stripeOf(stage).promotionCodes.create({
    promotion: { type: "coupon", coupon },
    code: "LARGE",
    restrictions: { minimum_amount: 90_000, minimum_amount_currency: "usd" },
  });
  for (const order of [{}, { offer: "month" }, { quantity: 2 }]) {
    const { status, body } = await open(stage, { ...order, code: "LARGE" });
    expect([order, status, body]).toMatchObject([
      order,
      400,
      { code: "code_refused", field: "code", data: expect.stringContaining("minimum amount") },
    ]);
    expect((await open(stage, order)).status).toBe(200);
  }
});

test("Stripe's refusal of the order itself is reported as it always was", async () => {
  await using stage = await openSubscriptionShop();
  await stage.atStripe("refuse", { path: "/v1/checkout/sessions", as: "tax_location" });
  expect(await open(stage, {})).toMatchObject({
    status: 502,
    body: { code: "checkout_refused", data: expect.stringContaining("location") },
  });
});

test("a second click opens another checkout if Stripe does not say where the first is", async () => {
  for (const fault of ["refused", "failing", "silent"] as const) {
    await using stage = await openSubscriptionShop();
    const ada = await signedIn(stage, "ada@example.com");
    const first = await open(stage, { offer: "month" }, ada);
    const path = `/v1/checkout/sessions/${first.body.data.id}`;
    if (fault === "refused") await stage.atStripe("refuse", { path, as: "permission" });
    if (fault === "failing")
      await stage.atStripe("faults", { api: { next: [{ path, method: "GET", fail: 503, count: 2 }] } });
    if (fault === "silent") await stage.atStripe("faults", { api: { latencyMs: 600_000 } });
    const [second] = await Promise.all([
      open(stage, { offer: "month" }, ada),
      // well after the two seconds that the shop waits for the first, and before the ten that it has for the second
      fault === "silent" && Bun.sleep(5_000).then(() => stage.atStripe("faults", { api: { latencyMs: 0 } })),
    ]);
    expect([fault, second.status, second.body.data.id !== first.body.data.id]).toEqual([fault, 200, true]);
  }
});

test("an order that was paid is sold at once although Stripe does not tell its code's name", async () => {
  for (const fail of [500, 429, "drop"]) {
    await using stage = await openSubscriptionShop();
    stage.stripe.setWebhookUrl(null);
    await operated(stage, "codes", "create", "HALF", "--percent", "50", ...why);
    await operated(stage, "codes", "create", "FREE", "--percent", "100", "--uses", "1", ...why);
    const [half, free] = [
      (await open(stage, { code: "HALF" })).body.data.id,
      (await open(stage, { code: "FREE" })).body.data.id,
    ];
    for (const session of [half, free]) await stage.atStripe("pay", { session, email: "ada@example.com" });
    await stage.atStripe("faults", { api: { next: [{ path: "/v1/promotion_codes/", fail, count: 100 }] } });
    const seen = async (session: string) =>
      (await stage.person().get(`/api/stripe/verify-payment?session_id=${session}`)).body.data?.status;
    expect([fail, await seen(half)]).toEqual([fail, "Payment Successful"]);
    // whether the code's uses are taken decides about a free one
    expect([fail, await seen(free)]).not.toEqual([fail, "Payment Successful"]);
    await stage.atStripe("faults", { api: { next: [] } });
    expect(await seen(free)).toBe("Payment Successful");
  }
});
