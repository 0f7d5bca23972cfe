import { and, eq, sql, type SQL } from "drizzle-orm";
import { isoDay } from "@/contract/vocabulary/dates";
import { mustNotExist, type Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { billOf } from "../../bills/bill";
import { type Payment, payments } from "../../schema/payments";
import { refunds } from "../../schema/refunds";

/** What an owner approved and Stripe has not made yet. */
const onItsWay = (paymentId: SQL | string): SQL<number> => sql`(
  SELECT coalesce(sum(way.amount), 0) FROM ${refunds} AS way WHERE way.payment_id = ${paymentId} AND way.state = 'approved')`;

/** What of a payment can still be refunded; refunds on their way to Stripe count as made. */
export async function refundableAmount(ctx: Ctx, payment: Payment): Promise<number> {
  const { paid, refunded } = billOf(payment);
  const [row] = await ctx.store.db.values<[sum: number]>(sql`SELECT ${onItsWay(payment.id)}`);
  return paid - refunded - (row?.[0] ?? 0);
}

/** The same as `paid` of `billOf`. */
const paid = sql`coalesce(${payments.paidAmount}, 0)`;

/**
 * Fails a commit with `refund_too_large` if less than `amount` is left of the payment. Follows the write that puts a
 * refund on its way, which so counts already.
 */
export const mustBeLeft = ({ store: { db } }: Ctx, { id }: Pick<Payment, "id">, amount = 0): Write =>
  mustNotExist(
    db
      .select({ id: payments.id })
      .from(payments)
      .where(
        and(
          eq(payments.id, id),
          sql`${paid} - ${payments.refundedAmount} - ${onItsWay(sql`${payments.id}`)} < ${amount}`,
        ),
      ),
    "refund_too_large",
    { field: "amount" },
  );

/** Fails a commit with `refund_refused`, as Stripe would, if a dispute holds or took the payment's money. */
export const mustNotBeDisputed = ({ store: { db } }: Ctx, { id }: Pick<Payment, "id">): Write =>
  mustNotExist(
    db
      .select({ id: payments.id })
      .from(payments)
      .where(and(eq(payments.id, id), eq(payments.state, "disputed"))),
    "refund_refused",
    { sentence: "That payment is disputed, so nothing of it can be refunded." },
  );

/** Fails a commit with `refund_proposed` if another proposal for the payment awaits an owner. */
export const mustBeOnlyProposal = ({ store: { db } }: Ctx, paymentId: string): Write =>
  mustNotExist(
    db
      .select({ id: refunds.id })
      .from(refunds)
      .where(and(eq(refunds.paymentId, paymentId), eq(refunds.state, "proposed"))),
    "refund_proposed",
    {},
  );

export const today = (ctx: Ctx) => isoDay(ctx.now());

type CappedAmount = { currency: string; amount: number; cap: number };

/**
 * Fails a commit with `refund_cap` if support has proposed so much on this day (UTC), in this currency, that `amount`
 * would exceed the cap; what was declined or refused doesn't count. Minor units of different currencies don't add up.
 */
export const mustFitCap = (ctx: Ctx, { currency, amount, cap }: CappedAmount): Write =>
  mustNotExist(
    ctx.store.db
      .select({ sum: sql`sum(${refunds.amount})` })
      .from(refunds)
      .innerJoin(payments, eq(payments.id, refunds.paymentId))
      .where(
        and(
          eq(refunds.cappedOn, today(ctx)),
          sql`${refunds.state} IN ('proposed', 'approved', 'made')`,
          eq(payments.currency, currency),
        ),
      )
      .having(sql`coalesce(sum(${refunds.amount}), 0) + ${amount} > ${cap}`),
    "refund_cap",
    {},
  );
