import { eq } from "drizzle-orm";
import type { Actor } from "@/core/base/actor";
import { Refusal } from "@/core/base/refusal";
import { billOf } from "@/domain/bills/bill";
import { askForCorrection } from "@/domain/payments/corrections/correction-proposals";
import { proposeRefund } from "@/domain/payments/corrections/proposals";
import { type Payment, payments } from "@/domain/schema/payments";
import type { PastOrder } from "./plan";
import type { PastShop } from "./shop";

/**
 * Support proposes to refund the newest order and another address for the one before, which an owner has to decide; does
 * nothing if it did before.
 */
export async function proposeSome({ ctx, year, staff }: PastShop): Promise<void> {
  const [wrong, twice] = year.orders.filter(isOrdinary).slice(-2);
  const sam: Actor = {
    kind: "staff",
    via: "desk",
    accountId: staff.sam,
    roles: ["support"],
    confirmedAt: ctx.now(),
  };
  const propose = async (order: PastOrder | undefined, ask: (payment: Payment) => Promise<unknown>) => {
    const [payment] = await ctx.store.db
      .select()
      .from(payments)
      .where(eq(payments.sessionId, order?.session ?? ""));
    if (!payment) return;
    await ask(payment).catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
    });
  };
  await propose(twice, (payment) =>
    proposeRefund(ctx, payment, {
      amount: null,
      by: { actor: sam, reason: "was charged twice for one key" },
      ticketId: null,
      cap: billOf(payment).paid,
    }),
  );
  await propose(wrong, (payment) =>
    askForCorrection(
      ctx,
      payment,
      { email: (payment.email ?? "").replace(/@.*/, "@example.net"), receiver: false },
      { actor: sam, reason: "mistyped it, wrote from the right one" },
    ),
  );
}

const isOrdinary = ({ outcome, refund, dispute, quantity, giftTo }: PastOrder) =>
  outcome === "paid" && !refund && !dispute && quantity === 1 && giftTo === null;
