import { and, desc, eq, inArray, sql } from "drizzle-orm";
import { money } from "@/contract/vocabulary/money";
import type { AuditAction } from "@/contract/wire/audit-events";
import { type Actor, actorId, type By } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import { commit, isDuplicate, type Write } from "@/core/database/commit";
import { type Ctx, newId } from "@/core/database/context";
import { enqueue } from "@/core/jobs/outbox";
import { Refusal } from "@/core/base/refusal";
import { expectNoCopy } from "@/core/database/restored-copy";
import { tokenHash } from "@/core/secrets/secrets";
import { botTopics, shopTopics } from "../../outbox-topics";
import { expectPayable } from "../../bills/bill";
import { type Payment, payments } from "../../schema/payments";
import { type Refund, refunds } from "../../schema/refunds";
import { type CheckoutGateway, CheckoutUnreachable, type RefundHeld } from "../port/stripe";
import { refundableAmount, mustBeLeft } from "./refund-rules";

/**
 * `amount` in minor units; null for everything that is left. `keeps`: the licence and its subscription continue, even
 * after a full refund.
 */
export type RefundTerms = { amount: number | null; by: By; keeps?: boolean };

/** `isNew`: this request was not made before. */
type RequestedRefund = { refund: Refund; isNew: boolean };

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
  wanted: RefundTerms,
): Promise<RequestedRefund> {
  // recorded now, the shop would make it after a take-over
  await expectNoCopy(ctx);
  if (wanted.keeps && payment.subscription === null) {
    const sentence = "Only a subscription's payment can be refunded and its licence kept.";
    throw new Refusal("invalid_field", { field: "keep", sentence });
  }
  const request = requestOf(payment, wanted);
  const known = await refundOfRequest(ctx, request);
  const held = await heldAtStripe(gateway, payment, request);
  if (held && !held.stands) throw new Refusal("refund_refused", { sentence: hasFailed(held) });
  if (known) return { refund: known, isNew: false };
  const row = held ? rowOfHeld(ctx, payment, { wanted, held }) : await newRefundRow(ctx, payment, wanted);
  const state = held ? ("made" as const) : ("approved" as const);
  try {
    await commit(ctx.store, [
      ctx.store.db
        .insert(refunds)
        .values({ ...row, state, decidedBy: actorId(wanted.by.actor), decidedAt: ctx.now() }),
      ...(held ? [] : [mustBeLeft(ctx, payment), enqueueRefund(ctx, row.id)]),
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
  const made = await refundOfRequest(ctx, row.request);
  if (!made) throw new Refusal("conflict");
  return { refund: made, isNew: held === null && made.id === row.id };
}

/** Without an answer from Stripe, the outbox asks again before making the refund. */
async function heldAtStripe(
  gateway: CheckoutGateway,
  { intentId }: Payment,
  request: string,
): Promise<RefundHeld | null> {
  if (!intentId) return null;
  return gateway.refundOf({ intentId, request }).catch((error: unknown) => {
    if (!(error instanceof CheckoutUnreachable)) throw error;
    return null;
  });
}

/** A refund that Stripe made and that failed there. */
export const failedAtStripe = (ctx: Ctx, stripeId: string) => ({
  state: "refused" as const,
  refusal: `The refund ${stripeId} was made and has failed.`,
  stripeId,
  failedAt: ctx.now(),
});

const hasFailed = ({ id }: RefundHeld) =>
  `The refund ${id} was made for this and has failed since. To make another, give another reason.`;

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

/** Refuses with `refund_unknown`. */
export async function expectRefund(ctx: Ctx, id: string): Promise<RefundView> {
  const [found] = await withPayment(ctx).where(eq(refunds.id, id));
  if (!found) throw new Refusal("refund_unknown");
  return found;
}

const withPayment = ({ store: { db } }: Ctx) =>
  db
    .select({ refund: refunds, payment: payments })
    .from(refunds)
    .innerJoin(payments, eq(payments.id, refunds.paymentId));

/** The refund that this request already led to, unless it was declined or refused. */
async function refundOfRequest(ctx: Ctx, request: string): Promise<Refund | null> {
  const [found] = await ctx.store.db
    .select()
    .from(refunds)
    .where(and(eq(refunds.request, request), inArray(refunds.state, ["proposed", "approved", "made"])));
  return found ?? null;
}

export async function newRefundRow(ctx: Ctx, payment: Payment, wanted: RefundTerms) {
  const left = await refundableAmount(ctx, payment);
  const amount = wanted.amount ?? left;
  if (!payment.intentId || left <= 0) throw new Refusal("refund_nothing_left");
  if (amount > left) throw new Refusal("refund_too_large", { field: "amount" });
  // Stripe itself computed all that is left
  if (wanted.amount !== null) expectPayable(amount, payment.currency);
  return { ...requestedRow(ctx, payment, wanted), amount };
}

/** A refund that Stripe holds and this database has lost. */
const rowOfHeld = (
  ctx: Ctx,
  payment: Payment,
  { wanted, held }: { wanted: RefundTerms; held: RefundHeld },
) => ({
  ...requestedRow(ctx, payment, wanted),
  amount: held.amount,
  stripeId: held.id,
  madeAt: held.createdAt,
});

function requestedRow(ctx: Ctx, payment: Payment, wanted: RefundTerms) {
  const request = requestOf(payment, wanted);
  return {
    id: newId(),
    paymentId: payment.id,
    request,
    attempt: sql<number>`(SELECT count(*) FROM ${refunds} WHERE payment_id = ${payment.id} AND request = ${request})`,
    reason: wanted.by.reason,
    keeps: wanted.keeps ?? false,
    askedBy: actorId(wanted.by.actor),
    createdAt: ctx.now(),
  };
}

const requestOf = ({ id }: Payment, { amount, by, keeps }: RefundTerms) =>
  tokenHash(JSON.stringify([id, amount, actorId(by.actor), by.reason, ...(keeps ? ["keeps"] : [])]));

export const enqueueRefund = (ctx: Ctx, id: string) =>
  enqueue(ctx, { topic: shopTopics.makeRefund, subject: id });

export const redrawCard = (ctx: Ctx, ticketId: string) =>
  enqueue(ctx, { topic: botTopics.syncTicket, subject: ticketId });
export const redrawCardOf = (ctx: Ctx, { ticketId }: Pick<Refund, "ticketId">): Write[] =>
  ticketId ? [redrawCard(ctx, ticketId)] : [];

type Entry = { actor: Actor; reason?: string; action: `payment.refund_${string}` & AuditAction };
type LoggedRefund = { payment: Pick<Payment, "id" | "accountId">; refund: Pick<Refund, "id" | "amount"> };

export const logRefund = (ctx: Ctx, entry: Entry, { payment, refund }: LoggedRefund): Write =>
  record(ctx, {
    ...entry,
    subject: payment.id,
    accountId: payment.accountId,
    detail: { refund: refund.id, amount: refund.amount },
  });
