import { expect, test } from "bun:test";
import { eq, isNotNull, ne, or, sql } from "drizzle-orm";
import { operator } from "@/core/base/actor";
import { auditLog, outbox } from "@/core/database/schema";
import { appointStaff } from "@/demo/staff";
import { sellStudio } from "@/demo/studio";
import { demoCode, makeDemoCode } from "@/demo/to-try";
import { fillYear } from "@/demo/year/fill-year";
import { readBooks } from "@/domain/payments/books/read-books";
import { settle } from "@/domain/payments/settlement/settle";
import { refundPayment } from "@/domain/payments/corrections/refund-payment";
import { accounts } from "@/domain/schema/accounts";
import { licences } from "@/domain/schema/licences";
import { payments } from "@/domain/schema/payments";
import { corrections } from "@/domain/schema/corrections";
import { refunds } from "@/domain/schema/refunds";
import { tickets } from "@/domain/schema/tickets";
import { openStage, type Stage } from "../../support/shop/stage";

const placeOf = (stage: Stage) => ({
  ctx: stage.shop.ctx,
  publicUrl: stage.url,
  code: demoCode,
  addPastSessions: (past: Parameters<Stage["stripe"]["addPast"]>[0]) => stage.stripe.addPast(past),
});

async function openYear() {
  const stage = await openStage();
  await makeDemoCode(stage.shop.checkout);
  await appointStaff(stage.ctx);
  await sellStudio(stage.ctx, { discordUrl: null });
  return stage;
}

type Session = { session: string; paid: boolean; amount: number; refunded: number };
async function atStripe({ stripe }: Stage): Promise<Session[]> {
  const answer = await fetch(new URL("/_control/ledger", stripe.url));
  return ((await answer.json()) as { sessions: Session[] }).sessions;
}

test("Stripe and the shop hold the same year, and its payments can be refunded like any other", async () => {
  await using stage = await openYear();
  const { ctx, checkout } = stage.shop;
  const { db } = ctx.store;
  await fillYear(placeOf(stage));
  // nothing is mailed, and only the tickets and the proposals that wait ask for anything
  const asking = ["owner.notice", "staff.notice", "ticket.keep"];
  const jobs = await db.selectDistinct({ topic: outbox.topic }).from(outbox);
  expect(jobs.map(({ topic }) => topic).filter((topic) => !asking.includes(topic))).toEqual([]);
  await stage.shop.worker.drain();
  expect(stage.mail.messages().filter(({ to }) => !/(olga|sam)@/.test(to))).toEqual([]);

  const sold = isNotNull(payments.soldAt);
  expect(await db.$count(payments, sold)).toBeGreaterThan(1_400);
  expect(await db.$count(accounts)).toBeGreaterThan(850);
  expect(await db.$count(licences, isNotNull(licences.accountId))).toBeGreaterThan(1_100);
  expect(await db.$count(tickets)).toBeGreaterThan(150);
  const waiting = await db.select().from(refunds).where(eq(refunds.state, "proposed"));
  expect(waiting.map(({ reason, ticketId }) => [reason, ticketId])).toEqual([
    ["was charged twice for one key", null],
  ]);
  const addresses = await db.select().from(corrections);
  expect(addresses.map(({ state, email }) => [state, email])).toEqual([
    ["proposed", expect.stringMatching(/@example\.net$/)],
  ]);
  const sums = async () => {
    const [ours] = await db
      .select({ paid: sql`sum(paid_amount)`, refunded: sql`sum(refunded_amount)` })
      .from(payments);
    const theirs = (await atStripe(stage)).filter(({ paid }) => paid);
    const sum = (valueOf: (one: Session) => number) => theirs.reduce((all, one) => all + valueOf(one), 0);
    return [ours, { paid: sum(({ amount }) => amount), refunded: sum(({ refunded }) => refunded) }];
  };
  const [ours, theirs] = await sums();
  expect(ours).toEqual(theirs);

  // countries and cards come from Stripe's lists, as of payments of an earlier release
  await readBooks(ctx, checkout);
  // what differed, settling would bring to what Stripe holds
  const special = or(
    ne(payments.state, "succeeded"),
    isNotNull(payments.disputeStatus),
    isNotNull(payments.giftEmail),
    sql`off_amount > 0 OR refunded_amount > 0 OR quantity > 1`,
    sql`rowid % 25 = 0`,
  );
  const checked = await db.select().from(payments).where(special).limit(800);
  const differing = [];
  for (const payment of checked) {
    const after = await settle(ctx, checkout, payment.sessionId);
    if (after?.version !== payment.version) differing.push([payment, after]);
  }
  expect(checked.length).toBeGreaterThan(600);
  expect(differing).toEqual([]);

  const [payment] = await db.select().from(payments).where(eq(payments.state, "succeeded")).limit(1);
  if (!payment) throw new Error("nothing was sold");
  const by = { actor: operator, reason: "a story" };
  const { refund, fault } = await refundPayment(ctx, checkout, payment, { amount: null, by });
  expect([refund.state, fault]).toEqual(["made", null]);
  const [refunded] = await db.select().from(payments).where(eq(payments.id, payment.id));
  expect(refunded?.state).toBe("refunded");
  const [oursAfter, theirsAfter] = await sums();
  expect(oursAfter).toEqual(theirsAfter);
  expect(oursAfter).not.toEqual(ours);
});

test("a year that was interrupted continues, and has everything once", async () => {
  await using stage = await openYear();
  const { db } = stage.ctx.store;
  for (const most of [0, 1, 3, 20]) {
    let weeks = 0;
    const stop = () => {
      if ((weeks += 1) > most) throw new Error("stopped");
    };
    await fillYear(placeOf(stage), stop).catch(() => {});
  }
  await fillYear(placeOf(stage));
  const counts = async () => [
    await db.$count(payments),
    await db.$count(accounts),
    await db.$count(tickets),
    await db.$count(refunds),
    await db.$count(corrections),
    await db.$count(auditLog),
  ];
  const filled = await counts();
  expect(await atStripe(stage)).toBeArrayOfSize(filled[0] ?? 0);
  await fillYear(placeOf(stage));
  expect(await counts()).toEqual(filled);
  expect(await atStripe(stage)).toBeArrayOfSize(filled[0] ?? 0);
});
