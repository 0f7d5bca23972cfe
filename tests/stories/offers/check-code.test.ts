import { expect, test } from "bun:test";
import type Stripe from "stripe";
import { operated } from "../../support/operator/run-operator";
import { openStage, type Stage } from "../../support/shop/stage";
import { openSubscriptionShop, stripeOf } from "../subscriptions/subscriber";

const why = ["--reason", "a test"];

const ask = (stage: Stage, wanted: object, person = stage.person()) =>
  person.post("/api/offers/code", { offer: "premium", ...wanted });

const makeCode = (stage: Stage, code: string, ...more: string[]) =>
  operated(stage, "codes", "create", code, ...more, ...why);

async function makeAtStripe(
  stage: Stage,
  code: string,
  coupon: Stripe.CouponCreateParams,
  more: Partial<Stripe.PromotionCodeCreateParams> = {},
) {
  const { id } = await stripeOf(stage).coupons.create({ duration: "once", ...coupon });
  await stripeOf(stage).promotionCodes.create({ promotion: { type: "coupon", coupon: id }, code, ...more });
}

test("a code says what an order costs with it before there is a checkout, and Stripe's page asks the same", async () => {
  await using stage = await openSubscriptionShop();
  await makeCode(stage, "TRY20", "--percent", "20");
  await makeCode(stage, "THREE", "--percent", "50", "--for", "3");
  await makeCode(stage, "ALWAYS", "--amount", "100", "--for", "forever");
  for (const [wanted, answer] of [
    [{ code: "try20" }, { amount: 400, off: 100, lasts: "once", sure: true }],
    [
      { code: " TRY20 ", quantity: 3 },
      { amount: 1200, off: 300, lasts: "once", sure: true },
    ],
    [
      { code: "THREE", offer: "month" },
      { amount: 150, off: 150, lasts: 3, sure: true },
    ],
    [
      { code: "ALWAYS", offer: "month" },
      { amount: 200, off: 100, lasts: "forever", sure: true },
    ],
  ] as const) {
    expect((await ask(stage, wanted)).body).toEqual({ status: 200, data: answer });
    const order = { currency: "usd", offer: "premium", ...wanted };
    const { body } = await stage.person().post("/api/stripe/create-checkout-session", order);
    const { amount_total: total } = await stripeOf(stage).checkout.sessions.retrieve(body.data.id);
    expect(total).toBe(answer.amount);
  }
  expect(await stage.count("payments")).toBe(4);
});

test("where Stripe decides at the checkout, the answer isn't sure", async () => {
  await using stage = await openStage();
  const half = { percent_off: 50 };
  await makeAtStripe(stage, "FIRST", half, { restrictions: { first_time_transaction: true } });
  await makeAtStripe(stage, "LARGE", half, {
    restrictions: { minimum_amount: 900, minimum_amount_currency: "usd" },
  });
  await makeAtStripe(stage, "THESE", { ...half, applies_to: { products: ["prod_1"] } });
  await makeAtStripe(stage, "NEARLY", { percent_off: 95 });
  for (const code of ["FIRST", "LARGE", "THESE", "NEARLY"])
    expect([code, (await ask(stage, { code })).body.data.sure]).toEqual([code, false]);
  await makeAtStripe(stage, "ALL", { percent_off: 100 });
  expect((await ask(stage, { code: "ALL" })).body.data).toEqual({
    amount: 0,
    off: 500,
    lasts: "once",
    sure: true,
  });
});

test("a code that can't be used is refused with its reason, on the code's field", async () => {
  await using stage = await openSubscriptionShop();
  await makeCode(stage, "OVER", "--percent", "20");
  await operated(stage, "codes", "retire", "OVER", ...why);
  await makeAtStripe(stage, "EUROS", { amount_off: 100, currency: "eur" });
  await makeCode(stage, "FREE", "--percent", "100");
  for (const [wanted, code, field] of [
    [{ code: "NOSUCH" }, "code_unknown", "code"],
    [{ code: "OVER" }, "code_unknown", "code"],
    [{ code: "EUROS" }, "code_refused", "code"],
    [{ code: "FREE", quantity: 2 }, "code_for_one", "code"],
    [{ code: "FREE", offer: "month", quantity: 2 }, "invalid_field", "quantity"],
    [{ code: "FREE", offer: "year" }, "offer_unknown", "offer"],
    [{ code: "" }, "invalid_field", "code"],
  ] as const)
    expect([wanted, await ask(stage, wanted)]).toMatchObject([
      wanted,
      { status: 400, body: { code, field } },
    ]);
});

test("a code whose uses other orders hold is no longer valid, although Stripe counts only what was paid", async () => {
  await using stage = await openStage({ webhooks: false });
  await operated(stage, "offers", "add", "week", "--name", "A week", "--amount", "900", ...why);
  await makeCode(stage, "ONE", "--amount", "500", "--uses", "1");
  const order = { currency: "usd", offer: "week", code: "ONE" };
  const { body } = await stage.person().post("/api/stripe/create-checkout-session", order);
  expect((await ask(stage, { code: "ONE" })).status).toBe(200);
  await stage.atStripe("pay", { session: body.data.id, email: "ada@example.com", outcome: "processing" });
  await stage.person().get(`/api/stripe/verify-payment?session_id=${body.data.id}`);
  expect((await ask(stage, { code: "ONE" })).body.code).toBe("code_unknown");
});

test("an address asks ten times in ten minutes, and Stripe's absence is said", async () => {
  await using stage = await openStage();
  const person = stage.person();
  await stage.atStripe("faults", { api: { next: [{ path: "/v1/promotion_codes", fail: 503, count: 9 }] } });
  expect((await ask(stage, { code: "TRY20" }, person)).body.code).toBe("checkout_unreachable");
  await stage.atStripe("faults", { api: { next: [] } });
  const guesses = await Promise.all(
    Array.from({ length: 12 }, (_, at) => ask(stage, { code: `GUESS${at}` }, person)),
  );
  expect(guesses.filter(({ status }) => status === 400)).toHaveLength(9);
  expect(guesses.filter(({ body }) => body.code === "rate_limited")).toHaveLength(3);
});
