import { and, eq, isNotNull, ne } from "drizzle-orm";
import { mustNotExist, type Write } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { type Payment, payments } from "../../schema/payments";
import type { CheckoutFacts } from "../checkout/checkout";

/**
 * Whether a limited code makes an order free, and earlier free orders have used that code up. The provider counts a use
 * when a checkout is completed, and a buyer may open any number of checkouts before the last use: each would give a free
 * key.
 */
export async function isCodeSpent(ctx: Ctx, held: Payment, facts: CheckoutFacts): Promise<boolean> {
  const uses = lastUse(ctx, held, facts);
  return uses !== null && (await uses).length > 0;
}

/** Fails the sale of a free order with `conflict` if another one has used the code up since {@link isCodeSpent}. */
export function codeLeft(ctx: Ctx, held: Payment, facts: CheckoutFacts): Write[] {
  const uses = lastUse(ctx, held, facts);
  return uses ? [mustNotExist(uses, "conflict", {})] : [];
}

/** The free order that used the code up, if there is one; null if no limited code makes this order free. */
function lastUse({ store: { db } }: Ctx, held: Payment, facts: CheckoutFacts) {
  const { promotionCode, codeLimit, total } = facts;
  const isFree = held.soldAt === null && held.trialDays === null && total === 0;
  if (!isFree || promotionCode === null || codeLimit === null) return null;
  return db
    .select({ id: payments.id })
    .from(payments)
    .where(
      and(
        eq(payments.promotionCode, promotionCode),
        eq(payments.paidAmount, 0),
        isNotNull(payments.soldAt),
        eq(payments.livemode, held.livemode),
        ne(payments.id, held.id),
      ),
    )
    .limit(1)
    .offset(codeLimit - 1);
}
