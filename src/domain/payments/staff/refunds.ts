import { isoDay } from "@/contract/dates";
import { and, desc, eq, inArray, type SQL, sql } from "drizzle-orm";
import { money } from "@/contract/money";
import type { AuditAction } from "@/contract/audit-events";
import { type Actor, actorId, type By } from "@/core/actor";
import { record } from "@/core/audit";
import { commit, isDuplicate, mustHaveChanged, type Write } from "@/core/commit";
import { type Ctx, newId } from "@/core/context";
import { enqueue } from "@/core/outbox";
import { Refusal } from "@/core/refusal";
import { expectNoCopy } from "@/core/restored-copy";
import { tokenHash } from "@/core/secrets";
import { botTopics, shopTopics } from "@/core/outbox-topics";
import { billOf } from "../../bills/bill";
import { expectPayable } from "../../bills/payable";
import { type Payment, payments } from "../../schema/payments";
import { type Refund, refunds } from "../../schema/refunds";
import { type CheckoutGateway, CheckoutUnreachable, type RefundHeld } from "../checkout/checkout";
import { authorize } from "../../permissions";

/** `amount` in minor units; null for all that is left. */
type Wanted = { amount: number | null; by: By };

/** `isNew`: this request was not made before. */
export type RefundAsked = { refund: Refund; isNew: boolean };

/**
 * Refunds a payment at the operator's request. Repeating a request (payment, amount and reason) makes no second refund
 * and resolves to the first, even if a restored database has forgotten it: Stripe's refunds carry the request. The
 * operator may repeat a request that Stripe refused. Refuses with `refund_nothing_left`, `refund_too_large`,
 * `amount_uneven`, `refund_refused` if the refund was made and has failed since, and `copy` on a restored copy.
 */
export async function requestRefund(
  ctx: Ctx,
  gateway: CheckoutGateway,
  payment: Payment,
  wanted: Wanted,
): Promise<RefundAsked> {
  // recorded now, the shop would make it after a take-over
  await expectNoCopy(ctx);
  const request = requestOf(payment, wanted);
  const known = await requested(ctx, request);
  const held = await heldAtStripe(gateway, payment, { request, id: known?.id ?? null });
  if (held && !held.stands) throw new Refusal("refund_refused", { sentence: hasFailed(held) });
  if (known) return { refund: known, isNew: false };
  const row = held ? rowOfHeld(ctx, payment, { wanted, held }) : rowOf(ctx, payment, wanted);
  const state = held ? ("made" as const) : ("approved" as const);
  try {
    await commit(ctx.store, [
      ctx.store.db
        .insert(refunds)
        .values({ ...row, state, decidedBy: actorId(wanted.by.actor), decidedAt: ctx.now() }),
      ...(held ? [] : [carryOutLater(ctx, row.id)]),
      logRefund(
        ctx,
        { ...wanted.by, action: held ? "payment.refund_found" : "payment.refund_requested" },
        {
          payment,
          refund: row,
        },
      ),
    ]);
  } catch (error) {
    if (!isDuplicate(error, "refunds.request")) throw error;
  }
  const made = await requested(ctx, row.request);
  if (!made) throw new Refusal("conflict");
  return { refund: made, isNew: held === null && made.id === row.id };
}

/** Without an answer from Stripe, the outbox asks again before making the refund. */
async function heldAtStripe(
  gateway: CheckoutGateway,
  { intentId }: Payment,
  asked: { request: string; id: string | null },
): Promise<RefundHeld | null> {
  if (!intentId) return null;
  return gateway.refundOf({ intentId, ...asked }).catch((error: unknown) => {
    if (!(error instanceof CheckoutUnreachable)) throw error;
    return null;
  });
}

const hasFailed = ({ id }: RefundHeld) =>
  `The refund ${id} was made for this and has failed since. To make another, give another reason.`;

/** `cap`: the most that owners may approve in a day and a currency, minor units. */
type Proposed = Wanted & { ticketId: string; cap: number };

/**
 * Support proposes a refund on a ticket's card, for an owner to decide. Refuses with `refund_proposed`,
 * `refund_repeated`, `refund_nothing_left`, `refund_too_large`, `amount_uneven`, or with `refund_over_cap` if no owner
 * could approve it today.
 */
export async function proposeRefund(
  ctx: Ctx,
  payment: Payment,
  { ticketId, cap, ...wanted }: Proposed,
): Promise<Pick<Refund, "amount">> {
  authorize(wanted.by, "refund.propose");
  const row = { ...rowOf(ctx, payment, wanted), state: "proposed" as const, ticketId };
  if ((await refundedToday(ctx, payment.currency)) + row.amount > cap) throw new Refusal("refund_over_cap");
  try {
    await commit(ctx.store, [
      ctx.store.db.insert(refunds).values(row),
      redraw(ctx, ticketId),
      logRefund(ctx, { ...wanted.by, action: "payment.refund_proposed" }, { payment, refund: row }),
    ]);
  } catch (error) {
    if (isDuplicate(error, "refunds.ticket_id")) throw new Refusal("refund_proposed");
    throw isDuplicate(error, "refunds.request") ? new Refusal("refund_repeated") : error;
  }
  return row;
}

/**
 * An owner approves a proposal, up to `cap` minor units a day (UTC) for all proposals in that currency together. The
 * write itself checks the limit, so that owners who approve at the same moment can't exceed it. Refuses with
 * `refund_decided` or `refund_over_cap`.
 */
export async function approveRefund(
  ctx: Ctx,
  id: string,
  { actor, cap }: { actor: Actor; cap: number },
): Promise<RefundView> {
  authorize(actor, "refund.approve");
  const found = await expectRefund(ctx, id);
  const { db } = ctx.store;
  const cappedOn = today(ctx);
  const spent = spentOn(cappedOn, found.payment.currency);
  await commit(ctx.store, [
    db.update(refunds).set({ id }).where(isProposed(id)),
    mustHaveChanged("refund_decided"),
    db
      .update(refunds)
      .set({ state: "approved", decidedBy: actorId(actor), decidedAt: ctx.now(), cappedOn })
      .where(and(isProposed(id), sql`${spent} + ${refunds.amount} <= ${cap}`)),
    mustHaveChanged("refund_over_cap"),
    carryOutLater(ctx, id),
    ...redrawCard(ctx, found.refund),
    logRefund(ctx, { actor, reason: found.refund.reason, action: "payment.refund_approved" }, found),
  ]);
  return found;
}

const today = (ctx: Ctx) => isoDay(ctx.now());

/** The sum approved on a day in a currency; minor units of different currencies don't add up. */
const spentOn = (day: string, currency: string): SQL<number> => sql`(
  SELECT coalesce(sum(other.amount), 0) FROM ${refunds} AS other JOIN ${payments} AS paid ON paid.id = other.payment_id
  WHERE other.capped_on = ${day} AND other.state IN ('approved', 'made') AND paid.currency = ${currency})`;

async function refundedToday(ctx: Ctx, currency: string): Promise<number> {
  const [row] = await ctx.store.db.values<[sum: number]>(sql`SELECT ${spentOn(today(ctx), currency)}`);
  return row?.[0] ?? 0;
}

/** Refuses with `refund_decided`. */
export async function declineRefund(ctx: Ctx, id: string, actor: Actor): Promise<void> {
  authorize(actor, "refund.decline");
  const found = await expectRefund(ctx, id);
  await commit(ctx.store, [
    ctx.store.db
      .update(refunds)
      .set({ state: "declined", decidedBy: actorId(actor), decidedAt: ctx.now() })
      .where(isProposed(id)),
    mustHaveChanged("refund_decided"),
    ...redrawCard(ctx, found.refund),
    logRefund(ctx, { actor, action: "payment.refund_declined" }, found),
  ]);
}

export type RefundView = { refund: Refund; payment: Payment };

/** The newest refund that support proposed on a ticket's card. */
export async function refundOfTicket(ctx: Ctx, ticketId: string): Promise<RefundView | null> {
  const [found] = await withPayment(ctx)
    .where(eq(refunds.ticketId, ticketId))
    .orderBy(desc(refunds.id))
    .limit(1);
  return found ?? null;
}

/** `USD 2.00 of pi_…` */
export const refundInWords = ({
  refund,
  payment,
}: {
  refund: Pick<Refund, "amount">;
  payment: Payment;
}): string => `${money(refund.amount, payment.currency)} of ${payment.intentId ?? payment.id}`;

/** Refuses with `refund_decided`. */
export async function expectRefund(ctx: Ctx, id: string): Promise<RefundView> {
  const [found] = await withPayment(ctx).where(eq(refunds.id, id));
  if (!found) throw new Refusal("refund_decided");
  return found;
}

const withPayment = ({ store: { db } }: Ctx) =>
  db
    .select({ refund: refunds, payment: payments })
    .from(refunds)
    .innerJoin(payments, eq(payments.id, refunds.paymentId));

/** The refund that this request already led to, unless it was declined or refused. */
async function requested(ctx: Ctx, request: string): Promise<Refund | null> {
  const [found] = await ctx.store.db
    .select()
    .from(refunds)
    .where(and(eq(refunds.request, request), inArray(refunds.state, ["proposed", "approved", "made"])));
  return found ?? null;
}

function rowOf(ctx: Ctx, payment: Payment, wanted: Wanted) {
  const { paid, refunded } = billOf(payment);
  const left = paid - refunded;
  const amount = wanted.amount ?? left;
  if (!payment.intentId || left <= 0) throw new Refusal("refund_nothing_left");
  if (amount > left) throw new Refusal("refund_too_large", { field: "amount" });
  // Stripe itself computed all that is left
  if (wanted.amount !== null) expectPayable(amount, payment.currency);
  return { ...requestedRow(ctx, payment, wanted), amount };
}

/** A refund that Stripe holds and this database has lost. */
const rowOfHeld = (ctx: Ctx, payment: Payment, { wanted, held }: { wanted: Wanted; held: RefundHeld }) => ({
  ...requestedRow(ctx, payment, wanted),
  amount: held.amount,
  stripeId: held.id,
  madeAt: held.createdAt,
});

function requestedRow(ctx: Ctx, payment: Payment, wanted: Wanted) {
  const request = requestOf(payment, wanted);
  return {
    id: newId(),
    paymentId: payment.id,
    request,
    attempt: sql<number>`(SELECT count(*) FROM ${refunds} WHERE payment_id = ${payment.id} AND request = ${request})`,
    reason: wanted.by.reason,
    askedBy: actorId(wanted.by.actor),
    createdAt: ctx.now(),
  };
}

const requestOf = ({ id }: Payment, { amount, by }: Wanted) =>
  tokenHash(JSON.stringify([id, amount, actorId(by.actor), by.reason]));

const carryOutLater = (ctx: Ctx, id: string) => enqueue(ctx, { topic: shopTopics.makeRefund, subject: id });

const redraw = (ctx: Ctx, ticketId: string) =>
  enqueue(ctx, { topic: botTopics.syncTicket, subject: ticketId });
export const redrawCard = (ctx: Ctx, { ticketId }: Pick<Refund, "ticketId">): Write[] =>
  ticketId ? [redraw(ctx, ticketId)] : [];

const isProposed = (id: string) => and(eq(refunds.id, id), eq(refunds.state, "proposed"));

type Entry = { actor: Actor; reason?: string; action: `payment.refund_${string}` & AuditAction };
type Logged = { payment: Pick<Payment, "id" | "accountId">; refund: Pick<Refund, "id" | "amount"> };

/** The audit log's entry about a refund. */
export const logRefund = (ctx: Ctx, entry: Entry, { payment, refund }: Logged): Write =>
  record(ctx, {
    ...entry,
    subject: payment.id,
    accountId: payment.accountId,
    detail: { refund: refund.id, amount: refund.amount },
  });
