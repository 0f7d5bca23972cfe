import { expect, test } from "bun:test";
import { attention } from "@/contract/wire/desk/attention";
import { day, hour, minute } from "@/contract/vocabulary/time";
import { operator, theShop } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import { commit } from "@/core/database/commit";
import { newId } from "@/core/database/context";
import { keepFact } from "@/core/database/key-values";
import { outbox } from "@/core/database/schema";
import { payments } from "@/domain/schema/payments";
import { refunds, type RefundState } from "@/domain/schema/refunds";
import { webhookEndpoints } from "@/domain/schema/webhooks";
import { answerOnSite } from "@/domain/tickets/writing/write";
import { expectTicket } from "@/domain/tickets/reading/queries";
import { atDesk, type Colleague } from "../../support/people/desk";
import { openStage, type Stage } from "../../support/shop/stage";
import { member } from "../accounts/people";

type Line = { kind: string; count: number; since: string | null; due: string | null; link: string };

/** The lines of attention by their kind. */
async function attentionOf(who: Colleague): Promise<Record<string, Omit<Line, "kind">>> {
  const { status, body } = await who.get("attention");
  expect([status, attention.parse(body.data)]).toEqual([200, body.data]);
  return Object.fromEntries(body.data.map(({ kind, ...line }: Line) => [kind, line]));
}

const at = (stage: Stage, ago = 0) => new Date(stage.ctx.now().getTime() - ago);

const payment = (stage: Stage, more: Partial<typeof payments.$inferInsert>) =>
  stage.ctx.store.db.insert(payments).values({
    id: newId(),
    sessionId: newId(),
    state: "succeeded",
    unitAmount: 500,
    currency: "usd",
    livemode: false,
    createdAt: at(stage, hour),
    ...more,
  });

test("nothing asks for attention in a shop where nothing happened", async () => {
  await using stage = await openStage();
  const vera = await atDesk(stage, "vera", "viewer");
  expect((await vera.get("attention")).body).toEqual({ status: 200, data: [] });
  expect((await vera.get("attention?all=1")).status).toBe(400);
});

test("a dispute asks for attention with its deadline until it needs no answer", async () => {
  await using stage = await openStage();
  const vera = await atDesk(stage, "vera", "viewer");
  await stage.buy("buyer@example.com");
  const [bought] = (await vera.get("payments")).body.data.rows;
  await stage.atStripe("dispute", { session: bought.session_id });
  await stage.stripe.flush();
  const [row] = (await vera.get("payments?status=disputed")).body.data.rows;
  expect((await attentionOf(vera))["disputes"]).toEqual({
    count: 1,
    since: row.dispute.since,
    due: row.dispute.due,
    link: `/desk/payments/${bought.id}`,
  });
  expect(row.dispute.due).not.toBeNull();
  await payment(stage, {
    state: "disputed",
    disputeStatus: "under_review",
    disputeAnswerBy: null,
    disputedAt: at(stage),
  });
  await payment(stage, { livemode: true, disputeStatus: "needs_response", disputeAnswerBy: at(stage) });
  expect((await attentionOf(vera))["disputes"]).toMatchObject({ count: 1 });
});

test("proposals wait, and refused refunds ask for attention until the payment was refunded or a month passed", async () => {
  await using stage = await openStage();
  const vera = await atDesk(stage, "vera", "viewer");
  const refund = (state: RefundState, paymentId: string, ago: number) =>
    stage.ctx.store.db.insert(refunds).values({
      id: newId(),
      paymentId,
      amount: 100,
      state,
      request: newId(),
      reason: "Asked",
      askedBy: "discord:81",
      createdAt: at(stage, ago),
      failedAt: state === "refused" ? at(stage, ago) : null,
    });
  await refund("proposed", "p1", 3 * day);
  await refund("proposed", "p2", hour);
  await refund("refused", "p3", 2 * hour);
  await refund("refused", "p4", 31 * day);
  await refund("refused", "p5", 2 * hour);
  await refund("made", "p5", hour);
  const { refund_proposals: proposals, refund_failures: failures } = await attentionOf(vera);
  expect(proposals).toMatchObject({ count: 2, link: "/desk/refunds?state=proposed" });
  expect(Date.parse(proposals?.since ?? "")).toBeLessThan(at(stage, 3 * day - minute).getTime());
  expect(failures).toMatchObject({ count: 1, link: "/desk/refunds?state=failed" });
});

test("warnings of fraud, orders that differ, stuck jobs, failing webhooks, rejected mail and the checkup ask for attention", async () => {
  await using stage = await openStage();
  const vera = await atDesk(stage, "vera", "viewer");
  const { ctx } = stage;
  const { db } = ctx.store;
  await payment(stage, { fraudWarnedAt: at(stage, hour) });
  await payment(stage, { fraudWarnedAt: at(stage, 40 * day) });
  await payment(stage, { fraudWarnedAt: at(stage, hour), state: "refunded" });
  await payment(stage, { mismatch: "paid 4.00 instead of 5.00", state: "processing" });
  await payment(stage, { mismatch: "paid 4.00", state: "refunded", refundedAt: at(stage) });
  const job = { topic: "mail.receipt", dueAt: at(stage, -day), createdAt: at(stage, hour) };
  await db.insert(outbox).values([
    { ...job, key: "a", subject: "a", attempts: 8 },
    { ...job, key: "b", subject: "b", attempts: 7 },
  ]);
  const endpoint = { url: "https://a.example", secretSealed: "", createdAt: at(stage) };
  await db.insert(webhookEndpoints).values([
    { ...endpoint, id: "1", failingSince: at(stage, hour) },
    { ...endpoint, id: "2", failingSince: at(stage, hour), removedAt: at(stage) },
    { ...endpoint, id: "3" },
  ]);
  const letter = {
    action: "mail.rejected" as const,
    actor: theShop,
    subject: "1",
    detail: { letter: "announcement" },
  };
  await commit(ctx.store, [record(ctx, letter)]);
  const findings = [
    { what: "mail", state: "wrong", sentence: "It is away." },
    { what: "brand", state: "warning", sentence: "Look." },
    { what: "disk", state: "well", sentence: "Fine." },
  ];
  await commit(ctx.store, [
    keepFact(ctx, "findings", JSON.stringify({ at: at(stage, hour).toISOString(), findings })),
  ]);
  const lines = await attentionOf(vera);
  expect(Object.keys(lines)).toEqual([
    "fraud_warnings",
    "mismatches",
    "stuck_jobs",
    "failing_webhooks",
    "rejected_mail",
    "doctor",
  ]);
  for (const [kind, line] of Object.entries(lines)) {
    expect([kind, line]).toEqual([
      kind,
      expect.objectContaining({ count: kind === "doctor" ? 2 : 1, due: null }),
    ]);
    expect(line.link).toStartWith("/desk/");
    expect(line.since).not.toBeNull();
  }
});

test("a ticket that waits for staff asks for attention until it is answered", async () => {
  await using stage = await openStage();
  const vera = await atDesk(stage, "vera", "viewer");
  const ada = await member(stage, "ada");
  const { id } = (await ada.post("/api/tickets", { topic: "device", question: "Why?" })).body.data;
  const { waiting_since: since } = (await vera.get(`tickets/${id}`)).body.data;
  expect((await attentionOf(vera))["waiting_tickets"]).toEqual({
    count: 1,
    since,
    due: null,
    link: "/desk/tickets?waiting_for=staff",
  });
  const answer = { actor: operator, name: "Support", text: "So." };
  await answerOnSite(stage.ctx, await expectTicket(stage.ctx, id), answer);
  expect(await attentionOf(vera)).toEqual({});
});

test("a thousand of a kind are counted, and no more are read", async () => {
  await using stage = await openStage();
  const vera = await atDesk(stage, "vera", "viewer");
  const rows = Array.from({ length: 1_100 }, (_, one) => ({
    key: `mail:${one}`,
    topic: "mail.receipt",
    subject: String(one),
    attempts: 9,
    createdAt: at(stage, (one + 1) * minute),
    dueAt: at(stage, -day),
  }));
  await stage.ctx.store.db.insert(outbox).values(rows);
  expect(await attentionOf(vera)).toMatchObject({
    stuck_jobs: { count: 1_000, since: rows.at(-1)?.createdAt.toISOString() },
  });
});
