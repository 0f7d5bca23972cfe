import { eq } from "drizzle-orm";
import type { Ctx } from "@/core/context";
import { currentExpiry } from "../licences/redeem";
import { accounts } from "../schema/accounts";
import type { Payment } from "../schema/payments";
import { termsOf } from "./order-terms";

/** An account that a sale is added to: what it held when it was read, and what shows that it holds the same still. */
export type BuyersAccount = { id: string; redemptions: number; held: Date | undefined };

/**
 * The account of a buyer who was signed in and bought one licence for themselves; null if it is sold already, or would
 * add nothing. A block made after the checkout began changes nothing: it has been paid.
 */
export async function buyersAccountOf(ctx: Ctx, payment: Payment): Promise<BuyersAccount | null> {
  const { accountId: id, soldAt } = payment;
  if (id === null || soldAt !== null || !isForBuyer(payment) || payment.livemode !== ctx.livemode)
    return null;
  // before what it holds: a redemption in between then fails the commit
  const [account] = await ctx.store.db
    .select({ redemptions: accounts.redemptions })
    .from(accounts)
    .where(eq(accounts.id, id));
  if (!account) return null;
  const held = await currentExpiry(ctx, id);
  return held === null ? null : { id, held, redemptions: account.redemptions };
}

/** Whether a buyer keeps what was bought: neither a gift nor one of several. */
const isForBuyer = (payment: Payment) => payment.giftEmail === null && termsOf(payment).quantity === 1;
