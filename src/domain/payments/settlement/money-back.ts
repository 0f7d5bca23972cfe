import { eq, sql } from "drizzle-orm";
import type { Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { type DisputeTaking, disputes, type StripeRefund, stripeRefunds } from "../../schema/money-back";
import type { Payment } from "../../schema/payments";
import type { CheckoutFacts } from "../port/stripe";
import { failedRefundWrites } from "./failed-refunds";
import { takingsOf, wantedRefunds } from "./refunds-and-takings";

/**
 * The writes that bring the rows of a payment's refunds and disputes to what Stripe holds; none for an ordinary
 * payment, which costs no query either. For the commit of the
 * settlement, whose guard they rely on.
 */
export async function moneyBackWrites(ctx: Ctx, held: Payment, facts: CheckoutFacts): Promise<Write[]> {
  const { refunds: listed, disputes: opened } = facts;
  const mayHaveRefunds = held.refundedAmount > 0 || listed.length > 0;
  const hadDispute = held.disputeStatus !== null || opened.length > 0;
  const now = ctx.now();
  const { db } = ctx.store;
  const [ofRefunds, ofDisputes] = await Promise.all([
    mayHaveRefunds ? db.select().from(stripeRefunds).where(eq(stripeRefunds.paymentId, held.id)) : [],
    hadDispute ? db.select().from(disputes).where(eq(disputes.paymentId, held.id)) : [],
  ]);
  const refunds = mayHaveRefunds ? wantedRefunds(held, ofRefunds, listed) : [];
  const takings = hadDispute ? opened.flatMap((one) => takingsOf(held, one, ofDisputes, now)) : [];
  return [
    ...(mayHaveRefunds ? refundWrites(ctx, ofRefunds, refunds) : []),
    ...(await failedRefundWrites(ctx, held, refunds, listed)),
    ...(hadDispute ? takingWrites(ctx, ofDisputes, takings) : []),
  ];
}

function refundWrites({ store: { db } }: Ctx, held: StripeRefund[], wanted: StripeRefund[]): Write[] {
  const gone = held.filter(({ id }) => !wanted.some((one) => one.id === id));
  const changed = wanted.filter((one) => !held.some((row) => isSame(row, one)));
  return [
    ...gone.map(({ id }) => db.delete(stripeRefunds).where(eq(stripeRefunds.id, id))),
    ...changed.map((one) =>
      db.insert(stripeRefunds).values(one).onConflictDoUpdate({ target: stripeRefunds.id, set: one }),
    ),
  ];
}

function takingWrites({ store: { db } }: Ctx, held: DisputeTaking[], wanted: DisputeTaking[]): Write[] {
  const gone = held.filter((row) => !wanted.some(({ id, taking }) => row.id === id && row.taking === taking));
  const changed = wanted.filter((one) => !held.some((row) => isSame(row, one)));
  return [
    ...gone.map(({ id, taking }) =>
      db.delete(disputes).where(sql`${disputes.id} = ${id} AND ${disputes.taking} = ${taking}`),
    ),
    ...changed.map((one) =>
      db
        .insert(disputes)
        .values(one)
        .onConflictDoUpdate({ target: [disputes.id, disputes.taking], set: one }),
    ),
  ];
}

const isSame = <Row extends object>(row: Row, other: Row) => Bun.deepEquals(row, other);
