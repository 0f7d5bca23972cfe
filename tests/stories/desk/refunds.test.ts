import { expect, test } from "bun:test";
import { hour, minute } from "@/contract/vocabulary/time";
import { auditTrail } from "@/core/database/audit";
import { refunds } from "@/domain/schema/refunds";
import { atDesk } from "../../support/people/desk";
import { bought } from "../../support/shop/bought";
import { openStage, type Stage } from "../../support/shop/stage";

const reason = "it never started";

const refundedAtStripe = async (stage: Stage): Promise<number> => {
  const { sessions } = await stage.atStripe("ledger", undefined as never);
  return sessions.reduce((sum: number, { refunded }: { refunded: number }) => sum + refunded, 0);
};

test("an owner refunds alone, the log says so, and the same request again refunds nothing and says that", async () => {
  await using stage = await openStage();
  const olga = await atDesk(stage, "olga", "owner");
  const { id } = await bought(stage);
  const body = { amount: 200, reason };
  const first = await olga.post(`payments/${id}/refund`, body);
  expect(first.body).toMatchObject({ status: 200, data: { state: "made", amount: 200, currency: "usd" } });
  expect((await olga.post(`payments/${id}/refund`, body)).body.data).toEqual({
    ...first.body.data,
    repeated: true,
  });
  expect(await refundedAtStripe(stage)).toBe(200);
  const rest = await olga.post(`payments/${id}/refund`, { reason: "all of it" });
  expect(rest.body.data).toMatchObject({ state: "made", amount: 300 });
  expect((await olga.post(`payments/${id}/refund`, { reason: "more" })).body.code).toBe(
    "refund_nothing_left",
  );
  const [, asked] = await auditTrail(stage.ctx, { action: "payment.refund_requested", limit: 5 });
  expect(asked).toMatchObject({
    subject: id,
    reason,
    actorKind: "staff",
    actorRole: "owner",
    actorVia: "desk",
  });
  expect(await auditTrail(stage.ctx, { action: "payment.refund_approved", limit: 5 })).toEqual([]);
  expect((await olga.post("payments/nothing/refund", { reason })).body).toMatchObject({
    status: 404,
    code: "payment_unknown",
  });
});

test("while Stripe is away a refund is answered with 202 and made later", async () => {
  await using stage = await openStage();
  const olga = await atDesk(stage, "olga", "owner");
  const { id } = await bought(stage);
  await stage.atStripe("faults", { api: { away: true } });
  const answer = await olga.post(`payments/${id}/refund`, { reason });
  expect([answer.status, answer.body.code ?? answer.body.data.state]).toEqual([202, "approved"]);
  await stage.atStripe("faults", { api: { away: false } });
  stage.advance(hour);
  await stage.shop.worker.drain();
  expect(await refundedAtStripe(stage)).toBe(500);
  const [row] = await stage.ctx.store.db.select().from(refunds);
  expect(row).toMatchObject({ state: "made", amount: 500 });
});

test("support proposes, an owner approves it alone, and two hundred presses make one refund", async () => {
  await using stage = await openStage();
  const [olga, sam] = [await atDesk(stage, "olga", "owner"), await atDesk(stage, "sam", "support")];
  const { id } = await bought(stage);
  const proposals = await Promise.all(
    Array.from({ length: 200 }, (_, at) =>
      sam.post(`payments/${id}/refund`, { amount: 200, reason: `${reason} ${at}` }),
    ),
  );
  expect(proposals.filter(({ status }) => status === 202)).toHaveLength(1);
  expect(proposals.filter(({ body }) => body.code === "refund_proposed")).toHaveLength(199);
  const [proposed] = proposals.filter(({ status }) => status === 202);
  const { refund } = proposed!.body.data;
  expect(await refundedAtStripe(stage)).toBe(0);
  const approvals = await Promise.all(
    Array.from({ length: 200 }, () => olga.post(`refunds/${refund}/approve`, { reason: "fair" })),
  );
  expect(approvals.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(approvals.filter(({ body }) => body.code === "refund_decided")).toHaveLength(199);
  await stage.shop.worker.drain();
  expect(await refundedAtStripe(stage)).toBe(200);
  const [row] = await stage.ctx.store.db.select().from(refunds);
  expect(row).toMatchObject({ state: "made", amount: 200 });
  expect((await olga.post("refunds/nothing/approve", { reason })).body).toMatchObject({
    status: 404,
    code: "refund_unknown",
  });
});

test("an owner declines a proposal, and a stale code approves nothing", async () => {
  await using stage = await openStage();
  const [olga, sam] = [await atDesk(stage, "olga", "owner"), await atDesk(stage, "sam", "support")];
  const { id } = await bought(stage);
  const { refund } = (await sam.post(`payments/${id}/refund`, { reason })).body.data;
  stage.advance(10 * minute);
  expect((await olga.post(`refunds/${refund}/approve`, { reason })).body.code).toBe("confirm");
  expect((await olga.post(`payments/${id}/refund`, { reason })).body.code).toBe("confirm");
  expect((await olga.post(`refunds/${refund}/decline`, { reason: "not ours" })).body.data).toMatchObject({
    id: refund,
    state: "declined",
    decided_by: { name: "olga" },
  });
  expect((await olga.post(`refunds/${refund}/decline`, { reason })).body.code).toBe("refund_decided");
  const [declined] = await auditTrail(stage.ctx, { action: "payment.refund_declined", limit: 5 });
  expect(declined?.reason).toBe("not ours");
  expect((await sam.post(`payments/${id}/refund`, { reason: "again" })).status).toBe(202);
});

test("nobody proposes or approves a refund of a disputed payment; once the dispute is won, both are possible again", async () => {
  await using stage = await openStage();
  const [olga, sam] = [await atDesk(stage, "olga", "owner"), await atDesk(stage, "sam", "support")];
  const [before, since] = [await bought(stage), await bought(stage, "bea@example.com")];
  const proposed = (await sam.post(`payments/${since.id}/refund`, { reason })).body.data;
  for (const { sessionId } of [before, since]) await stage.atStripe("dispute", { session: sessionId });
  await stage.stripe.flush();
  const refused = {
    status: 502,
    code: "refund_refused",
    data: "That payment is disputed, so nothing of it can be refunded.",
  };
  expect((await sam.post(`payments/${before.id}/refund`, { reason })).body).toEqual(refused);
  expect((await olga.post(`refunds/${proposed.refund}/approve`, { reason })).body).toEqual(refused);
  expect((await stage.ctx.store.db.select().from(refunds)).map(({ state }) => state)).toEqual(["proposed"]);
  expect(await auditTrail(stage.ctx, { action: "payment.refund_approved", limit: 5 })).toEqual([]);
  for (const { sessionId } of [before, since])
    await stage.atStripe("dispute", { session: sessionId, status: "won" });
  await stage.stripe.flush();
  expect((await sam.post(`payments/${before.id}/refund`, { reason })).status).toBe(202);
  expect((await olga.post(`refunds/${proposed.refund}/approve`, { reason })).status).toBe(200);
});

test("the daily cap binds support on the desk, and no owner", async () => {
  await using stage = await openStage({ env: { REFUND_DAILY_CAP: "700" } });
  const [olga, sam] = [await atDesk(stage, "olga", "owner"), await atDesk(stage, "sam", "support")];
  const [{ id: one }, { id: other }] = [await bought(stage), await bought(stage, "bea@example.com")];
  expect((await sam.post(`payments/${one}/refund`, { reason })).status).toBe(202);
  expect((await sam.post(`payments/${other}/refund`, { reason })).body).toMatchObject({
    status: 409,
    code: "refund_cap",
  });
  expect((await sam.post(`payments/${other}/refund`, { amount: 200, reason })).status).toBe(202);
  expect((await olga.post(`payments/${other}/refund`, { reason })).status).toBe(200);
});
