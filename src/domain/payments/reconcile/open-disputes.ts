import { and, asc, count, eq, inArray, isNull } from "drizzle-orm";
import type { Ctx } from "@/core/database/context";
import { openDisputeStatuses, payments } from "../../schema/payments";

/**
 * A disputed payment, by Stripe's id; `answerBy` is null if Stripe awaits no evidence, or the deadline is unknown yet.
 */
export type OpenDispute = { payment: string; status: string; answerBy: Date | null };

/** How many payments have an open dispute or inquiry, and those with the next deadlines. */
export async function openDisputes(
  { store: { db }, livemode }: Ctx,
  most: number,
): Promise<{ count: number; first: OpenDispute[] }> {
  const open = and(inArray(payments.disputeStatus, openDisputeStatuses), eq(payments.livemode, livemode));
  const [counted] = await db.select({ count: count() }).from(payments).where(open);
  const rows = await db
    .select({
      session: payments.sessionId,
      intent: payments.intentId,
      status: payments.disputeStatus,
      answerBy: payments.disputeAnswerBy,
    })
    .from(payments)
    .where(open)
    .orderBy(asc(isNull(payments.disputeAnswerBy)), asc(payments.disputeAnswerBy))
    .limit(most);
  const first = rows.map(({ session, intent, status, answerBy }) => ({
    payment: intent ?? session,
    status: status ?? "",
    answerBy,
  }));
  return { count: counted?.count ?? 0, first };
}
