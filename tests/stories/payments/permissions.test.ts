import { expect, test } from "bun:test";
import { day, minute } from "@/contract/vocabulary/time";
import { openCheckout } from "@/domain/payments/checkout/order";
import { settle } from "@/domain/payments/settlement/settle";
import { reconcilePayments } from "@/domain/payments/reconcile/reconcile-payments";
import { operateWith, settingsOf } from "../../support/operator/run-operator";
import { eventually, openStage, type Stage } from "../../support/shop/stage";

const restricted = "rk_test_of_the_shop";

/** From now on the key has all permissions but these. */
const lack = (stage: Stage, ...lacks: string[]) => stage.atStripe("keys", { key: restricted, lacks });

async function open(stage: Stage): Promise<string> {
  const buyer = { accountId: null, email: null, browserHash: "" };
  const wanted = { currency: "usd", publicUrl: stage.url, buyer };
  return (await openCheckout(stage.ctx, stage.shop.checkout, wanted)).id;
}

/** A paid order whose webhook never arrives. */
async function paid(stage: Stage): Promise<string> {
  const session = await open(stage);
  await stage.atStripe("pay", { session, email: "buyer@example.com" });
  return session;
}

async function heldAs(stage: Stage, session: string) {
  const sql = "SELECT state, dispute_status, fraud_warned_at, paid_at FROM payments WHERE session_id = ?";
  const { rows } = await stage.ctx.store.client.execute({ sql, args: [session] });
  const [row] = rows;
  return {
    state: row?.["state"],
    dispute: row?.["dispute_status"],
    warned: row?.["fraud_warned_at"] !== null,
    paidAt: row?.["paid_at"],
  };
}

const reconcile = (stage: Stage) => reconcilePayments(stage.ctx, stage.shop.checkout);
const sweep = (stage: Stage) => reconcilePayments(stage.ctx, stage.shop.checkout, { lists: "now" });

/** The notices to staff about the key, once none is pending. */
async function toldOfKey(stage: Stage): Promise<number> {
  stage.shop.worker.wake();
  await eventually(async () => (await stage.count("outbox WHERE topic = 'staff.notice'")) === 0);
  const lines = stage.lines.map((line): Record<string, unknown> => JSON.parse(line));
  return lines.filter(({ message, reason }) => message === "staff notice" && reason === "stripe key").length;
}

async function doctorOn(stage: Stage, more: Record<string, string> = {}) {
  const { out, code } = await operateWith(
    { ...settingsOf(stage), STRIPE_SECRET_KEY: restricted, ...more },
    "doctor",
    "--json",
  );
  const findings: { what: string; state: string; sentence: string }[] = JSON.parse(out);
  return { code, stripe: findings.filter(({ what }) => what === "Stripe") };
}

test("a sweep goes no further than the key may read, and continues there once it may", async () => {
  await using stage = await openStage({ webhooks: false });
  const [refunded, warned] = [await paid(stage), await paid(stage)];
  await reconcile(stage);
  await lack(stage, "early_fraud_warning_read");
  await stage.restart({ stripeKey: restricted });
  await stage.atStripe("refund", { session: refunded });
  await stage.atStripe("warning", { session: warned });
  const unknown = await paid(stage);
  await stage.ctx.store.client.execute({ sql: "DELETE FROM payments WHERE session_id = ?", args: [unknown] });
  expect(sweep(stage)).rejects.toThrow("rak_early_fraud_warning_read");
  expect(await heldAs(stage, refunded)).toMatchObject({ state: "refunded" });
  expect(await heldAs(stage, unknown)).toMatchObject({ state: "succeeded" });
  await lack(stage);
  expect(await sweep(stage)).toMatchObject({ finished: true });
  expect(await heldAs(stage, warned)).toMatchObject({ state: "succeeded", warned: true });
});

test.each(["checkout/sessions", "events"])(
  "a list that Stripe refuses for another reason does not stop the others: %s",
  async (list) => {
    await using stage = await openStage({ webhooks: false });
    const refunded = await paid(stage);
    await reconcile(stage);
    await stage.atStripe("refund", { session: refunded });
    await stage.atStripe("faults", {
      api: { next: [{ fail: 402, count: 1, path: `/v1/${list}`, method: "GET" }] },
    });
    expect(await sweep(stage)).toMatchObject({ finished: true });
    expect(await heldAs(stage, refunded)).toMatchObject({ state: "refunded" });
  },
);

test("without access to charges nothing changes, and what was paid is sold once the key has it", async () => {
  await using stage = await openStage({ webhooks: false });
  const [refunded, disputed] = [await paid(stage), await paid(stage)];
  await stage.atStripe("refund", { session: refunded });
  await stage.atStripe("dispute", { session: disputed });
  await reconcile(stage);
  await lack(stage, "charge_read", "dispute_read", "early_fraud_warning_read");
  await stage.restart({ stripeKey: restricted });
  const sold = await paid(stage);
  for (const session of [refunded, disputed, sold]) {
    expect(settle(stage.ctx, stage.shop.checkout, session)).rejects.toThrow("The Stripe key lacks");
  }
  expect(await heldAs(stage, refunded)).toMatchObject({ state: "refunded" });
  expect(await heldAs(stage, disputed)).toMatchObject({ state: "disputed", dispute: "needs_response" });
  expect(await heldAs(stage, sold)).toMatchObject({ state: "open" });
  await lack(stage);
  await reconcile(stage);
  expect(await heldAs(stage, sold)).toMatchObject({ state: "succeeded", paidAt: expect.any(Number) });
});

test("payments that the key may not read don't stop the sweep, and are settled once it may", async () => {
  await using stage = await openStage({ webhooks: false });
  const [known, unknown] = [await paid(stage), await paid(stage)];
  await stage.ctx.store.client.execute({ sql: "DELETE FROM payments WHERE session_id = ?", args: [unknown] });
  await lack(stage, "payment_intent_read");
  await stage.restart({ stripeKey: restricted });
  expect(await reconcile(stage)).toMatchObject({ finished: true, failed: 2 });
  stage.advance(3 * day);
  await lack(stage);
  expect(await reconcile(stage)).toMatchObject({ finished: true, failed: 0 });
  expect(await heldAs(stage, known)).toMatchObject({ state: "succeeded" });
  expect(await heldAs(stage, unknown)).toMatchObject({ state: "succeeded" });
});

test("staff are notified once of each permission that the key lacks, and again only after it was granted", async () => {
  await using stage = await openStage({ webhooks: false });
  await lack(stage, "early_fraud_warning_read", "dispute_write");
  await stage.restart({ stripeKey: restricted });
  for (const _ of [1, 2, 3]) await stage.shop.periodicJobs.run();
  expect(await toldOfKey(stage)).toBe(2);
  stage.advance(day);
  await lack(stage);
  await stage.shop.periodicJobs.run();
  expect(await toldOfKey(stage)).toBe(2);
  await lack(stage, "early_fraud_warning_read");
  for (const _ of [1, 2]) await stage.shop.periodicJobs.run();
  expect(await toldOfKey(stage)).toBe(3);
});

test("staff are notified once of a key that Stripe refuses, and webhooks are still watched", async () => {
  await using stage = await openStage({ webhooks: false });
  const session = await paid(stage);
  await settle(stage.ctx, stage.shop.checkout, session);
  const unknownKey = "sk_test_rolled";
  await stage.restart({ stripeKey: unknownKey });
  await stage.ctx.store.client.execute({
    sql: "UPDATE payments SET created_at = ?, paid_at = ?",
    args: [stage.ctx.now().getTime() + 1_000, stage.ctx.now().getTime() + 1_000],
  });
  stage.advance(20 * minute);
  for (const _ of [1, 2]) await stage.shop.periodicJobs.run();
  expect(await toldOfKey(stage)).toBe(1);
  expect(stage.lines.join("\n")).toContain('"reason":"none came"');
});

test("the doctor tries every list and call, names what the key lacks, and changes nothing at Stripe", async () => {
  await using stage = await openStage();
  await lack(stage);
  expect(await doctorOn(stage)).toMatchObject({ code: 0, stripe: [{ state: "well" }] });
  for (const lacks of ["early_fraud_warning_read", "charge_write"]) {
    await lack(stage, lacks);
    expect(await doctorOn(stage)).toMatchObject({
      code: 3,
      stripe: [{ state: "wrong", sentence: expect.stringContaining(`rak_${lacks}`) }, { state: "well" }],
    });
  }
  const all = ["checkout_session", "payment_intent", "charge", "dispute", "event", "early_fraud_warning"];
  await lack(stage, ...all.map((name) => `${name}_read`));
  const none = await doctorOn(stage);
  expect(none.code).toBe(3);
  expect(none.stripe.filter(({ state }) => state !== "well")).toHaveLength(9);
  expect((await stage.atStripe("ledger", undefined as never)).sessions).toEqual([]);
});

test("payments of the mode that the key can't ask about are not swept", async () => {
  await using stage = await openStage({ webhooks: false });
  const session = await open(stage);
  await stage.atStripe("pay", { session, outcome: "processing" });
  await reconcile(stage);
  expect(await heldAs(stage, session)).toMatchObject({ state: "processing" });
  stage.advance(day);
  expect(await reconcile(stage)).toMatchObject({ asked: 1 });
  await stage.atStripe("keys", { key: "sk_live_of_the_shop" });
  await stage.restart({ stripeKey: "sk_live_of_the_shop" });
  stage.advance(day);
  expect(await reconcile(stage)).toMatchObject({ asked: 0 });
});
