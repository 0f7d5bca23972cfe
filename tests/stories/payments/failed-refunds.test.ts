import { expect, test } from "bun:test";
import { day, minute } from "@/contract/vocabulary/time";
import { operator } from "@/core/base/actor";
import { figures } from "@/domain/figures/figures";
import { reconcilePayments } from "@/domain/payments/reconcile/reconcile-payments";
import { type Colleague, atDesk } from "../../support/people/desk";
import { bought } from "../../support/shop/bought";
import { openStage, type Stage } from "../../support/shop/stage";
import {
  atStripeNow,
  happens,
  openSubscriptionShop,
  pass,
  renewalsHeld,
  seenBy,
  settleAll,
  subscriber,
} from "../subscriptions/subscriber";

const reason = "it never started";

const failures = async (who: Colleague): Promise<number> => {
  const { data } = (await who.get("attention")).body;
  return data.find(({ kind }: { kind: string }) => kind === "refund_failures")?.count ?? 0;
};

type Row = { state: string; amount: number; reason: string; proposed_by: { kind: string } };
const refundsOf = async (who: Colleague, id: string): Promise<Row[]> =>
  (await who.get(`payments/${id}`)).body.data.refunds;

/** Makes a refund at Stripe fail, of which the shop hears. */
async function fail(stage: Stage, refund: string) {
  await happens(stage, "refund/move", { refund, status: "failed" });
}

const refundedInFigures = async ({ ctx }: Stage) => (await figures(ctx, operator, {})).totals.refunded;

for (const amount of [200, 500]) {
  test(`a refund of ${amount} that staff made and that fails later is recorded as failed, and what it took is given back`, async () => {
    await using stage = await openStage();
    const olga = await atDesk(stage, "olga", "owner");
    const { id } = await bought(stage);
    await olga.post(`payments/${id}/refund`, { amount, reason });
    await settleAll(stage);
    expect([await failures(olga), await refundedInFigures(stage)]).toEqual([0, amount]);
    const { rows } = await stage.ctx.store.client.execute("SELECT stripe_id FROM refunds");
    stage.advance(5 * minute);
    await fail(stage, rows[0]?.["stripe_id"] as string);
    expect(await refundsOf(olga, id)).toMatchObject([{ state: "failed", amount, reason }]);
    const row = (await olga.get(`payments/${id}`)).body.data;
    expect(row).toMatchObject({ status: "succeeded", bill: { refunded: 0 } });
    expect([await failures(olga), await refundedInFigures(stage)]).toEqual([1, 0]);
    // a second try may fail as well
    await olga.post(`payments/${id}/refund`, { amount, reason: "once more" });
    await settleAll(stage);
    expect(await failures(olga)).toBe(0);
    const again = await stage.ctx.store.client.execute("SELECT stripe_id FROM refunds WHERE state = 'made'");
    await fail(stage, again.rows[0]?.["stripe_id"] as string);
    expect(await failures(olga)).toBe(2);
    expect(await refundsOf(olga, id)).toMatchObject([{ state: "failed" }, { state: "failed" }]);
  });
}

test("a refund that was made in Stripe's dashboard and fails is in Attention until the payment is refunded there", async () => {
  await using stage = await openStage();
  const olga = await atDesk(stage, "olga", "owner");
  const { id, sessionId: session } = await bought(stage);
  const { id: refund } = await happens(stage, "refund", { session, amount: 200, status: "pending" });
  expect(await refundsOf(olga, id)).toEqual([]);
  await fail(stage, refund);
  await settleAll(stage);
  expect(await failures(olga)).toBe(1);
  expect(await refundsOf(olga, id)).toMatchObject([
    { state: "failed", amount: 200, reason: "Made at Stripe", proposed_by: { kind: "shop" } },
  ]);
  expect((await olga.get("refunds?state=failed")).body.data.rows).toHaveLength(1);
  stage.advance(2000);
  await happens(stage, "refund", { session, amount: 200 });
  expect(await failures(olga)).toBe(0);
});

test("a refund that failed before the shop heard of it is recorded as failed", async () => {
  await using stage = await openStage({ webhooks: false });
  const { id, sessionId: session } = await bought(stage);
  await reconcilePayments(stage.ctx, stage.shop.checkout);
  const { id: refund } = await stage.atStripe("refund", { session, status: "pending" });
  await stage.atStripe("refund/move", { refund, status: "failed" });
  await reconcilePayments(stage.ctx, stage.shop.checkout);
  const olga = await atDesk(stage, "olga", "owner");
  expect([await failures(olga), (await refundsOf(olga, id)).length]).toEqual([1, 1]);
});

test("a refund that failed weeks later is found", async () => {
  await using stage = await openStage({ webhooks: false });
  const { id, sessionId: session } = await bought(stage);
  const { id: refund } = await stage.atStripe("refund", { session, status: "pending" });
  await reconcilePayments(stage.ctx, stage.shop.checkout);
  stage.advance(20 * day);
  await reconcilePayments(stage.ctx, stage.shop.checkout);
  await stage.atStripe("refund/move", { refund, status: "failed" });
  stage.advance(day);
  await reconcilePayments(stage.ctx, stage.shop.checkout);
  const olga = await atDesk(stage, "olga", "owner");
  expect(await failures(olga)).toBe(1);
  expect((await olga.get(`payments/${id}`)).body.data.status).toBe("succeeded");
});

test("a failed refund of a disputed payment leaves it disputed, and counts as not refunded", async () => {
  await using stage = await openStage();
  const olga = await atDesk(stage, "olga", "owner");
  const { id, sessionId: session } = await bought(stage);
  const { id: refund } = await stage.atStripe("refund", { session, amount: 200, status: "pending" });
  await happens(stage, "dispute", { session });
  await fail(stage, refund);
  const row = (await olga.get(`payments/${id}`)).body.data;
  expect(row).toMatchObject({ status: "disputed", bill: { refunded: 0 } });
  expect(await failures(olga)).toBe(1);
});

test("a renewal whose full refund fails gives its time back, while the subscription stays ended", async () => {
  await using stage = await openSubscriptionShop();
  const { ada } = await subscriber(stage);
  await pass(stage, 32);
  const [invoice] = await renewalsHeld(stage);
  const olga = await atDesk(stage, "olga", "owner");
  const { id: refund } = await happens(stage, "refund", { session: invoice, status: "pending" });
  expect(await seenBy(ada)).toMatchObject({ status: "ended", licence: { active: false } });
  await fail(stage, refund);
  await settleAll(stage);
  expect(await seenBy(ada)).toMatchObject({ status: "ended", licence: { active: true, status: "active" } });
  expect(await atStripeNow(stage)).toMatchObject([{ status: "canceled" }]);
  expect(await failures(olga)).toBe(1);
});
