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

/**
 * The newest payment that gave a licence and is an account's own: made while signed in, or for the one licence that it
 * redeemed. A gift, or one key of several, was paid by somebody else.
 */
export async function lastPurchaseOf(ctx: Ctx, accountId: string): Promise<Payment | null> {
  const forOneself = and(isNull(payments.giftEmail), eq(payments.quantity, 1));
  const [payment] = await ctx.store.db
    .select()
    .from(payments)
    .where(
      and(
        isNotNull(payments.soldAt),
        belongsTo(ctx, accountId),
        or(eq(payments.accountId, accountId), forOneself),
      ),
    )
    .orderBy(desc(payments.createdAt), desc(payments.id))
    .limit(1);
  return payment ?? null;
}

/** Narrows the type: the query leaves out open payments. */
function listed(state: PaymentState): Exclude<PaymentState, "open"> {
  if (state === "open") throw new Error("an open payment is never listed");
  return state;
}
