import { and, desc, eq, inArray, isNotNull, isNull, ne, or, type SQL, sql } from "drizzle-orm";
import { union } from "drizzle-orm/sqlite-core";
import type { Ctx } from "@/core/context";
import { licencesSoldBy } from "../licences/sold";
import { licences } from "../schema/licences";
import { billOf } from "../bills/bill";
import { type Payment, payments, type PaymentState } from "../schema/payments";
import { offerOf } from "./order-terms";
import { shownTo } from "./shown";

/**
 * As a condition: the payments that an account made while signed in, and those whose licence it redeemed. A typed
 * email says nothing about ownership and is never matched. SQLite uses no index for an OR across a join.
 */
export function belongsTo({ store: { db } }: Ctx, accountId: string): SQL {
  const made = db.select({ id: payments.id }).from(payments).where(eq(payments.accountId, accountId));
  const redeemed = db
    .select({ id: sql<string>`${licences.paymentId}` })
    .from(licences)
    .where(and(eq(licences.accountId, accountId), isNotNull(licences.paymentId)));
  return inArray(payments.id, union(made, redeemed));
}

/** An account's payments that have an outcome, newest first. */
export async function paymentsOf(ctx: Ctx, accountId: string) {
  const rows = await ctx.store.db
    .select()
    .from(payments)
    .where(and(ne(payments.state, "open"), belongsTo(ctx, accountId)))
    .orderBy(desc(payments.createdAt), desc(payments.id));
  const sold = await licencesSoldBy(
    ctx,
    rows.map(({ id }) => id),
  );
  return rows.map((payment) => ({
    ...payment,
    ...shownTo(ctx, payment, sold.get(payment.id) ?? [], { accountId, browserHashes: [] }),
    bill: billOf(payment),
    ...offerOf(payment),
    state: listed(payment.state),
  }));
}

/** The newest of an account's own payments of which something is left to refund. */
export async function refundablePaymentOf(ctx: Ctx, accountId: string): Promise<Payment | null> {
  const [payment] = await ctx.store.db
    .select()
    .from(payments)
    .where(and(isOwnPurchase(ctx, accountId), isRefundable))
    .orderBy(desc(payments.createdAt), desc(payments.id))
    .limit(1);
  return payment ?? null;
}

/** One of an account's own payments, by its id. */
export async function ownPurchase(ctx: Ctx, accountId: string, paymentId: string): Promise<Payment | null> {
  const [payment] = await ctx.store.db
    .select()
    .from(payments)
    .where(and(eq(payments.id, paymentId), isOwnPurchase(ctx, accountId)));
  return payment ?? null;
}

/**
 * As a condition: it gave a licence and is the account's own, made while signed in or for the one licence that it
 * redeemed. A gift, or one key of several, was paid by somebody else.
 */
const isOwnPurchase = (ctx: Ctx, accountId: string): SQL | undefined =>
  and(
    isNotNull(payments.soldAt),
    belongsTo(ctx, accountId),
    or(eq(payments.accountId, accountId), and(isNull(payments.giftEmail), eq(payments.quantity, 1))),
  );

/** Money that a dispute holds can't be refunded, and an order that cost nothing has no payment intent. */
const isRefundable = and(
  // with a plus, or SQLite would go through all payments in that state (https://sqlite.org/optoverview.html)
  sql`+${payments.state} = 'succeeded'`,
  isNotNull(payments.intentId),
  sql`coalesce(${payments.paidAmount}, ${payments.unitAmount}) > ${payments.refundedAmount}`,
);

/** Narrows the type: the query leaves out open payments. */
function listed(state: PaymentState): Exclude<PaymentState, "open"> {
  if (state === "open") throw new Error("an open payment is never listed");
  return state;
}
