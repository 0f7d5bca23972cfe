import { and, desc, eq, inArray, sql } from "drizzle-orm";
import { money } from "@/contract/money";
import { audit, type ByHand } from "@/core/audit";
import { commit, isDuplicate, mustHaveChanged, type Write } from "@/core/commit";
import { type Ctx, newId } from "@/core/context";
import { failpoint } from "@/core/failpoints";
import { notice } from "@/core/notice";
import { type Handlers, post } from "@/core/outbox";
import { isConflict, Refusal } from "@/core/refusal";
import { tokenHash } from "@/core/secrets";
import { billOf } from "../bills/bill";
import { type Payment, payments } from "../schema/payments";
import { type Refund, refunds } from "../schema/refunds";
import { type CheckoutGateway, CheckoutRefused } from "./checkout";
import { settle } from "./settle";

/** `amount` in minor units; null for all that is left. */
type Wanted = { amount: number | null; by: ByHand };

/**
 * Refunds a payment at the operator's request. The same request (payment, amount and reason) made again makes no
 * second refund and resolves to the first; one that Stripe refused may be repeated. Refuses with `refund_nothing_left`
 * or `refund_too_large`.
 */
export async function requestRefund(ctx: Ctx, payment: Payment, wanted: Wanted): Promise<Refund> {
  const known = await requested(ctx, requestOf(payment, wanted));
  if (known) return known;
  const row = { ...rowOf(ctx, payment, wanted), state: "approved" as const, decidedBy: wanted.by.actor };
  try {
    await commit(ctx.store, [
      ctx.store.db.insert(refunds).values({ ...row, decidedAt: ctx.now() }),
      carryOutLater(ctx, row.id),
      log(ctx, { ...wanted.by, action: "payment.refund_requested" }, { payment, refund: row }),
    ]);
  } catch (error) {
    if (!isDuplicate(error, "refunds.request")) throw error;
  }
  ctx.wake();
  const made = await requested(ctx, row.request);
  if (!made) throw new Refusal("conflict");
  return made;
}

/**
 * Support proposes a refund on a ticket's card, for an owner to decide. Refuses with `refund_proposed`,
 * `refund_repeated`, `refund_nothing_left` or `refund_too_large`.
 */
export async function proposeRefund(
  ctx: Ctx,
  payment: Payment,
  { ticketId, ...wanted }: Wanted & { ticketId: string },
): Promise<Pick<Refund, "amount">> {
  const row = { ...rowOf(ctx, payment, wanted), state: "proposed" as const, ticketId };
  try {
    await commit(ctx.store, [
      ctx.store.db.insert(refunds).values(row),
      redraw(ctx, ticketId),
      log(ctx, { ...wanted.by, action: "payment.refund_proposed" }, { payment, refund: row }),
    ]);
  } catch (error) {
    if (isDuplicate(error, "refunds.ticket_id")) throw new Refusal("refund_proposed");
    throw isDuplicate(error, "refunds.request") ? new Refusal("refund_repeated") : error;
  }
  ctx.wake();
  return row;
}

/**
 * An owner approves a proposal, up to `cap` minor units a day (UTC) for all proposals together. The limit is part of
 * the write, so that owners who press at the same moment can't exceed it. Refuses with `refund_decided` or
 * `refund_over_cap`.
 */
export async function approveRefund(
  ctx: Ctx,
  id: string,
  { actor, cap }: { actor: string; cap: number },
): Promise<ShownRefund> {
  const found = await expectRefund(ctx, id);
  const { db } = ctx.store;
  const now = ctx.now();
  const cappedOn = now.toISOString().slice(0, 10);
  const spent = sql`(SELECT coalesce(sum(other.amount), 0) FROM ${refunds} AS other
    WHERE other.capped_on = ${cappedOn} AND other.state IN ('approved', 'made'))`;
  await commit(ctx.store, [
    db.update(refunds).set({ id }).where(isProposed(id)),
    mustHaveChanged("refund_decided"),
    db
      .update(refunds)
      .set({ state: "approved", decidedBy: actor, decidedAt: now, cappedOn })
      .where(and(isProposed(id), sql`${spent} + ${refunds.amount} <= ${cap}`)),
    mustHaveChanged("refund_over_cap"),
    carryOutLater(ctx, id),
    ...redrawCard(ctx, found.refund),
    log(ctx, { actor, reason: found.refund.reason, action: "payment.refund_approved" }, found),
  ]);
  ctx.wake();
  return found;
}

/** Refuses with `refund_decided`. */
export async function declineRefund(ctx: Ctx, id: string, actor: string): Promise<void> {
  const found = await expectRefund(ctx, id);
  await commit(ctx.store, [
    ctx.store.db
      .update(refunds)
      .set({ state: "declined", decidedBy: actor, decidedAt: ctx.now() })
      .where(isProposed(id)),
    mustHaveChanged("refund_decided"),
    ...redrawCard(ctx, found.refund),
    log(ctx, { actor, action: "payment.refund_declined" }, found),
  ]);
  ctx.wake();
}

export type ShownRefund = { refund: Refund; payment: Payment };

/** The newest refund that was proposed on a ticket's card. */
export async function refundOfTicket(ctx: Ctx, ticketId: string): Promise<ShownRefund | null> {
  const [found] = await withPayment(ctx)
    .where(eq(refunds.ticketId, ticketId))
    .orderBy(desc(refunds.id))
    .limit(1);
  return found ?? null;
}

/** `USD 2.00 of pi_…` */
export const refundInWords = ({ refund, payment }: ShownRefund): string =>
  `${money(refund.amount, payment.currency)} of ${payment.intentId ?? payment.id}`;

/** The outbox handler that makes approved refunds at Stripe. */
export const refundHandlers = (ctx: Ctx, gateway: CheckoutGateway): Handlers => ({
  "stripe.refund": async ({ subject }) => {
    await carryOut(ctx, gateway, subject);
    return [];
  },
});

/**
 * Makes an approved refund at Stripe and settles its payment. It may be called any number of times, by several
 * processes and after a crash: Stripe makes one. Resolves to the refund as it is then; throws `CheckoutUnreachable`.
 */
export async function carryOut(ctx: Ctx, gateway: CheckoutGateway, id: string): Promise<Refund> {
  const found = await expectRefund(ctx, id);
  const { refund, payment } = found;
  if (refund.state !== "approved" || !payment.intentId) return refund;
  const outcome = await ask(gateway, { id, intentId: payment.intentId, amount: refund.amount });
  failpoint("refund.made-at-stripe");
  try {
    await commit(ctx.store, [
      ctx.store.db
        .update(refunds)
        .set(outcome)
        .where(and(eq(refunds.id, id), eq(refunds.state, "approved"))),
      mustHaveChanged("conflict"),
      ...redrawCard(ctx, refund),
      log(ctx, { actor: "shop", action: `payment.refund_${outcome.state}` }, found),
      ...(outcome.state === "refused" ? [tell(ctx, found, outcome.refusal)] : []),
    ]);
  } catch (error) {
    // another process asked at the same moment and got the same answer
    if (!isConflict(error)) throw error;
  }
  ctx.wake();
  await settle(ctx, gateway, payment.sessionId);
  return (await expectRefund(ctx, id)).refund;
}

type Outcome = { state: "made"; stripeId: string } | { state: "refused"; refusal: string };

async function ask(
  gateway: CheckoutGateway,
  wanted: { id: string; intentId: string; amount: number },
): Promise<Outcome> {
  try {
    return { state: "made", stripeId: await gateway.refund(wanted) };
  } catch (error) {
    if (!(error instanceof CheckoutRefused)) throw error;
    return { state: "refused", refusal: error.message };
  }
}

function tell(ctx: Ctx, found: ShownRefund, refusal: string): Write {
  const sentence = `Stripe refused to refund ${refundInWords(found)}: ${refusal}`;
  return notice(ctx, `${found.payment.id}:refund ${found.refund.id}`, { kind: "refund refused", sentence });
}

async function expectRefund(ctx: Ctx, id: string): Promise<ShownRefund> {
  const [found] = await withPayment(ctx).where(eq(refunds.id, id));
  if (!found) throw new Refusal("refund_decided");
  return found;
}

const withPayment = ({ store: { db } }: Ctx) =>
  db
    .select({ refund: refunds, payment: payments })
    .from(refunds)
    .innerJoin(payments, eq(payments.id, refunds.paymentId));

/** The refund that such a request already led to, unless it was declined or refused. */
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
  return {
    id: newId(),
    paymentId: payment.id,
    amount,
    request: requestOf(payment, wanted),
    reason: wanted.by.reason,
    askedBy: wanted.by.actor,
    createdAt: ctx.now(),
  };
}

const requestOf = ({ id }: Payment, { amount, by }: Wanted) =>
  tokenHash(JSON.stringify([id, amount, by.actor, by.reason]));

const carryOutLater = (ctx: Ctx, id: string) =>
  post(ctx, { topic: "stripe.refund", subject: id, ahead: true });

const redraw = (ctx: Ctx, ticketId: string) => post(ctx, { topic: "ticket.keep", subject: ticketId });
const redrawCard = (ctx: Ctx, { ticketId }: Refund): Write[] => (ticketId ? [redraw(ctx, ticketId)] : []);

const isProposed = (id: string) => and(eq(refunds.id, id), eq(refunds.state, "proposed"));

type Entry = { actor: string; reason?: string; action: string };
type Logged = { payment: Pick<Payment, "id" | "accountId">; refund: Pick<Refund, "id" | "amount"> };

const log = (ctx: Ctx, entry: Entry, { payment, refund }: Logged): Write =>
  audit(ctx, {
    ...entry,
    subject: payment.id,
    accountId: payment.accountId,
    detail: { refund: refund.id, amount: refund.amount },
  });
