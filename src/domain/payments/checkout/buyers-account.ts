import type { Ctx } from "@/core/database/context";
import type { AccountLicences } from "../../licences/entitlement/account-licences";
import { coveringIn, readHoldings } from "../../licences/entitlement/holdings";
import type { Payment } from "../../schema/payments";
import { isReadable, levelOf } from "../port/order-terms";

/**
 * The licences of the buyer's account, for a signed-in buyer of one licence for themselves; null if the licence is sold
 * already, would add nothing, or has days that would run out beside a subscription. Ignores blocks made
 * after the checkout began: the licence is paid for.
 */
export async function buyersAccountOf(ctx: Ctx, payment: Payment): Promise<AccountLicences | null> {
  const { accountId: id, soldAt, quantity, giftEmail } = payment;
  if (id === null || soldAt !== null || giftEmail !== null || quantity !== 1) return null;
  if (!isReadable(payment) || payment.livemode !== ctx.livemode) return null;
  const holdings = await readHoldings(ctx, id);
  const wanted = { ...payment, level: levelOf(payment).id };
  return holdings && coveringIn(ctx, holdings, wanted) === null ? holdings.owned : null;
}
