import { eq } from "drizzle-orm";
import type { Actor } from "@/core/actor";
import { Refusal } from "@/core/refusal";
import { billOf } from "@/domain/bills/bill";
import { proposeRefund } from "@/domain/payments/staff/proposals";
import { payments } from "@/domain/schema/payments";
import type { PastOrder } from "./orders";
import type { PastShop } from "./shop";

/** Support proposes to refund one of the newest orders, which an owner has to decide; does nothing if it did before. */
export async function proposeOne({ ctx, year, staff }: PastShop): Promise<void> {
  const order = year.orders.findLast(isOrdinary);
  if (!order) return;
  const [payment] = await ctx.store.db.select().from(payments).where(eq(payments.sessionId, order.session));
  if (!payment) return;
  const sam: Actor = {
    kind: "staff",
    via: "desk",
    accountId: staff.sam,
    roles: ["support"],
    confirmedAt: ctx.now(),
  };
  const by = { actor: sam, reason: "was charged twice for one key" };
  const cap = billOf(payment).paid;
  await proposeRefund(ctx, payment, { amount: null, by, ticketId: null, cap }).catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error;
  });
}

const isOrdinary = ({ outcome, refund, dispute, quantity, giftTo }: PastOrder) =>
  outcome === "paid" && !refund && !dispute && quantity === 1 && giftTo === null;
