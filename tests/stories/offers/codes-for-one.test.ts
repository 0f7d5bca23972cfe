import { expect, test } from "bun:test";
import { stripeOf } from "../subscriptions/subscriber";
import type Stripe from "stripe";
import { reconcilePayments } from "@/domain/payments/reconcile/reconcile-payments";
import { operated } from "../../support/operator/run-operator";
import { openStage, type Stage } from "../../support/shop/stage";

const why = ["--reason", "a test"];

type Made = {
  coupon: Stripe.CouponCreateParams;
  restrictions?: Stripe.PromotionCodeCreateParams.Restrictions;
};

async function makeCode(stage: Stage, code: string, { coupon, restrictions }: Made): Promise<void> {
  const stripe = stripeOf(stage);
  const { id } = await stripe.coupons.create({ duration: "once", ...coupon });
  await stripe.promotionCodes.create({
    promotion: { type: "coupon", coupon: id },
    code,
    ...(restrictions ? { restrictions } : {}),
  });
}

const begin = (stage: Stage, order: object) =>
  stage.person().post("/api/stripe/create-checkout-session", { currency: "usd", ...order });
const sessionsOf = async (stage: Stage) =>
  (await stage.atStripe("ledger", undefined as never)).sessions as { allow_promotion_codes?: boolean }[];

const everything: [what: string, made: Made, order: object][] = [
  ["a percentage", { coupon: { percent_off: 100 } }, { quantity: 100 }],
  ["a percentage that leaves less than a cent", { coupon: { percent_off: 99.95 } }, { quantity: 3 }],
  ["an amount", { coupon: { amount_off: 1000, currency: "usd" } }, { quantity: 2 }],
  [
    "an amount in the second of its currencies",
    { coupon: { amount_off: 900, currency: "eur", currency_options: { usd: { amount_off: 1500 } } } },
    { quantity: 3 },
  ],
  [
    "a minimum that only several reach",
    {
      coupon: { percent_off: 100 },
      restrictions: { minimum_amount: 1000, minimum_amount_currency: "usd" },
    },
    { quantity: 2 },
  ],
  [
    "certain products",
    { coupon: { percent_off: 100, applies_to: { products: ["prod_1"] } } },
    { quantity: 2 },
  ],
  ["another offer", { coupon: { amount_off: 400, currency: "usd" } }, { quantity: 2, offer: "month" }],
];

test("a code that takes off the whole price of several keys is refused before there is a session", async () => {
  await using stage = await openStage({ webhooks: false });
  await operated(stage, "offers", "add", "month", "--name", "A month", "--amount", "200", ...why);
  for (const [at, [what, made, order]] of everything.entries()) {
    await makeCode(stage, `FREE${at}`, made);
    expect([what, await begin(stage, { ...order, code: `free${at}` })]).toMatchObject([
      what,
      {
        status: 400,
        body: {
          code: "code_for_one",
          field: "code",
          data: "That code takes off the whole price, so it is good for one key at a time.",
        },
      },
    ]);
  }
  expect(await sessionsOf(stage)).toEqual([]);
});

test("a code that leaves a part of the price works for several keys, and one that leaves nothing for one", async () => {
  await using stage = await openStage({ webhooks: false });
  await makeCode(stage, "HALF", { coupon: { percent_off: 50 } });
  await makeCode(stage, "FIVE", { coupon: { amount_off: 500, currency: "usd" } });
  for (const order of [
    { quantity: 2, code: "HALF" },
    { quantity: 2, code: "FIVE" },
    { code: "FIVE" },
    { quantity: 1, code: "FIVE" },
    { gift: { email: "bob@example.com" }, code: "FIVE" },
  ]) {
    expect([order, (await begin(stage, order)).status]).toEqual([order, 200]);
  }
});

test("Stripe's page has a field for codes with one key, and none with several", async () => {
  await using stage = await openStage({ webhooks: false });
  await operated(stage, "codes", "create", "FREE", "--percent", "100", ...why);
  const pageOf = async (order: object) => (await fetch((await begin(stage, order)).body.data.url)).text();
  expect(await pageOf({})).toContain("Promotion code");
  expect(await pageOf({ gift: { email: "bob@example.com" } })).toContain("Promotion code");
  expect(await pageOf({ quantity: 2 })).not.toContain("Promotion code");
  const { id: session } = (await begin(stage, { quantity: 2 })).body.data;
  expect(stage.atStripe("code", { session, code: "FREE" })).rejects.toThrow("takes no promotion codes");
});

/** A session of several keys as the release before opened it, for which a buyer enters a code that takes off all. */
async function becomesFree(stage: Stage): Promise<string> {
  await operated(stage, "codes", "create", "FREE", "--percent", "100", "--uses", "1", ...why);
  const { id: session } = (await begin(stage, { quantity: 100 })).body.data;
  await stage.atStripe("alter", { session, allow_promotion_codes: true });
  await stage.atStripe("code", { session, code: "FREE" });
  await stage.atStripe("pay", { session, email: "buyer@example.com" });
  return session;
}

const licences = async (stage: Stage) =>
  (await stage.ctx.store.client.execute("SELECT id FROM licences")).rows.length;
const notices = (stage: Stage) =>
  stage.lines.filter((line) => line.includes("staff notice") && line.includes("several keys for nothing"));

const verify = (stage: Stage, session: string) =>
  stage.person().get(`/api/stripe/verify-payment?session_id=${session}`);

for (const [who, ask] of [
  ["its buyer asks, though every webhook is lost", verify],
  [
    "the sweep finds it after the database was lost",
    async (stage: Stage) => {
      await stage.ctx.store.client.batch(["DELETE FROM licences", "DELETE FROM payments"], "write");
      await reconcilePayments(stage.ctx, stage.shop.checkout);
    },
  ],
] as const) {
  test(`a free session of a hundred keys sells nothing and staff are notified, when ${who}`, async () => {
    await using stage = await openStage({ webhooks: false });
    const session = await becomesFree(stage);
    await ask(stage, session);
    expect((await verify(stage, session)).body.data).toMatchObject({
      status: "Payment Failed",
      message: "The payment doesn't match the order, so nothing was sold. Please ask support.",
      license_keys: [],
    });
    await stage.shop.worker.drain();
    expect(notices(stage)).toHaveLength(1);
    expect(await licences(stage)).toBe(0);
    expect(stage.mail.messages("buyer@example.com")).toEqual([]);
  });
}

test("a code gives no more free orders than it may, however many checkouts were opened before", async () => {
  await using stage = await openStage();
  await operated(stage, "codes", "create", "FREETWO", "--percent", "100", "--uses", "2", ...why);
  const buyers = Array.from({ length: 5 }, () => stage.person());
  const sessions: string[] = [];
  for (const buyer of buyers) {
    const order = { currency: "usd", offer: "premium", code: "FREETWO" };
    sessions.push((await buyer.post("/api/stripe/create-checkout-session", order)).body.data.id);
  }
  for (const session of sessions) await stage.atStripe("pay", { session, email: "ada@example.com" });
  const verified = async () =>
    (
      await Promise.all(
        buyers.map((buyer, at) => buyer.get(`/api/stripe/verify-payment?session_id=${sessions[at]}`)),
      )
    ).map(({ body }) => `${body.data.status}, ${body.data.license_key === null ? "no key" : "a key"}`);
  await verified();
  await stage.stripe.flush();
  expect((await verified()).toSorted()).toEqual([
    "Payment Failed, no key",
    "Payment Failed, no key",
    "Payment Failed, no key",
    "Payment Successful, a key",
    "Payment Successful, a key",
  ]);
  const { rows } = await stage.ctx.store.client.execute(
    "SELECT DISTINCT mismatch, failure_reason FROM payments WHERE sold_at IS NULL",
  );
  expect(rows).toMatchObject([
    { mismatch: "a used up code", failure_reason: "The promotion code was used up before." },
  ]);
});
