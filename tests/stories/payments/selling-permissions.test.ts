import { expect, test } from "bun:test";
import { operator } from "@/core/base/actor";
import { watchKey } from "@/domain/payments/reconcile/key-watch";
import { lastFindings } from "@/domain/system/system";
import { addOffer } from "@/domain/offers/change";
import { atDesk } from "../../support/people/desk";
import { operateWith, settingsOf } from "../../support/operator/run-operator";
import { eventually, openStage, type Stage } from "../../support/shop/stage";

const key = "rk_test_of_the_shop";
const by = { actor: operator, reason: "a story" };

/** From now on the key has all permissions but these. */
const lack = (stage: Stage, ...lacks: string[]) => stage.atStripe("keys", { key, lacks });

/** A shop whose key lacks these, and that has tried it. */
async function shopLacking(stage: Stage, ...lacks: string[]) {
  await lack(stage, ...lacks);
  await stage.restart({ stripeKey: key });
  await stage.shop.periodicJobs.run();
}

const openCheckout = (stage: Stage, offer?: string) =>
  stage.person().post("/api/stripe/create-checkout-session", { currency: "usd", ...(offer && { offer }) });

const refused = {
  status: 503,
  code: "stripe_permission",
  data: "Nothing can be bought right now. Nothing was charged. Please try again later.",
};

/** The permissions that the last checkup says selling needs. */
async function found({ ctx }: Stage): Promise<(string | undefined)[]> {
  const { findings = [] } = (await lastFindings(ctx)) ?? {};
  return findings
    .filter(({ what, state }) => what === "Stripe" && state === "wrong")
    .map(({ sentence }) => /rak_\w+/.exec(sentence)?.[0]);
}

const needed = [
  "checkout_session_write",
  "checkout_session_read",
  "payment_intent_read",
  "charge_read",
  "charge_write",
  "dispute_read",
  "dispute_write",
  "balance_read",
  "event_read",
  "early_fraud_warning_read",
  "promotion_code_read",
  "promotion_code_write",
  "coupon_read",
  "invoice_read",
];

test("a key without what selling needs sells nothing until it has it, and Attention and the checkup say so", async () => {
  await using stage = await openStage();
  await shopLacking(stage);
  const vera = await atDesk(stage, "vera", "viewer");
  const attention = async () =>
    (await vera.get("attention")).body.data.map(({ kind }: { kind: string }) => kind);
  for (const lacks of needed) {
    await lack(stage, lacks);
    await stage.shop.periodicJobs.run();
    expect([lacks, (await openCheckout(stage)).body]).toEqual([lacks, refused]);
    expect(await found(stage)).toContain(`rak_${lacks}`);
    expect(await attention()).toContain("doctor");
    await lack(stage);
    await stage.shop.periodicJobs.run();
    expect([lacks, (await openCheckout(stage)).status, await found(stage)]).toEqual([lacks, 200, []]);
  }
});

test("a missing permission that only the webhook endpoint needs stops no sale", async () => {
  await using stage = await openStage();
  await shopLacking(stage, "webhook_read");
  expect((await openCheckout(stage)).status).toBe(200);
  expect(await found(stage)).toEqual([]);
});

test("the permissions for subscriptions are needed only in a shop that sells one", async () => {
  await using stage = await openStage();
  const ofSubscriptions = [
    "customer_write",
    "customer_read",
    "subscription_read",
    "subscription_write",
    "invoice_write",
    "plan_write",
  ];
  await shopLacking(stage, ...ofSubscriptions);
  expect((await openCheckout(stage)).status).toBe(200);
  const month = { id: "month", name: "A month", amount: 300, days: null, every: "month" as const };
  await addOffer(stage.ctx, { ...month, trialDays: null }, by);
  for (const lacks of ofSubscriptions) {
    await lack(stage, lacks);
    await stage.shop.periodicJobs.run();
    const answers = [(await openCheckout(stage)).body, (await openCheckout(stage, "month")).body];
    expect([lacks, ...answers]).toEqual([lacks, refused, refused]);
    expect(await found(stage)).toContain(`rak_${lacks}`);
  }
});

test("a permission that was taken away is noticed at the first call that Stripe refuses", async () => {
  await using stage = await openStage();
  await shopLacking(stage);
  const buyer = stage.person();
  const opened = await buyer.post("/api/stripe/create-checkout-session", { currency: "usd" });
  await lack(stage, "payment_intent_read");
  await stage.atStripe("pay", { session: opened.body.data.id, email: "buyer@example.com" });
  await buyer.get(`/api/stripe/verify-payment?session_id=${opened.body.data.id}`);
  const answer = await eventually(
    () => openCheckout(stage),
    ({ status }) => status === 503,
  );
  expect(answer.body).toEqual(refused);
});

test("a checkout that Stripe refuses for want of a permission says so at once", async () => {
  await using stage = await openStage();
  await shopLacking(stage);
  await lack(stage, "checkout_session_write");
  expect((await openCheckout(stage)).body).toEqual(refused);
});

test("a call that keeps being refused is followed by one try of the key an hour", async () => {
  await using stage = await openStage();
  let tries = 0;
  let refuse: (call: string) => void = () => {};
  const gateway = {
    whenForbidden: (listener: typeof refuse) => void (refuse = listener),
    permissions: async () => {
      tries += 1;
      refuse("GET /v1/events");
      return [];
    },
  };
  const watch = watchKey(stage.ctx, gateway, async () => {});
  const repeat = async (...calls: string[]) => {
    for (const call of calls) {
      refuse(call);
      await Bun.sleep(20);
    }
    return tries;
  };
  expect(await repeat("GET /v1/events", "GET /v1/events", "GET /v1/events")).toBe(1);
  expect(await repeat("GET /v1/refunds", "GET /v1/events")).toBe(2);
  await watch.check();
  expect(await repeat("GET /v1/events", "GET /v1/events")).toBe(4);
});

test("the doctor opens a shop again whose key has what it lacked", async () => {
  await using stage = await openStage();
  await shopLacking(stage, "dispute_read", "checkout_session_write");
  expect((await openCheckout(stage)).status).toBe(503);
  await lack(stage);
  await operateWith({ ...settingsOf(stage), STRIPE_SECRET_KEY: key }, "doctor", "--json");
  expect((await openCheckout(stage)).status).toBe(200);
});
