import type { Ctx } from "@/core/database/context";
import { readAccountLicences } from "../../licences/entitlement/account-licences";
import type { AccountLicences } from "../../licences/entitlement/account-licences";
import { lifetimeDevices } from "../../licences/changes/redeem";
import { holdsSubscription } from "../../licences/entitlement/subscriptions";
import type { Payment } from "../../schema/payments";
import { isReadable } from "../port/order-terms";

/**
 * The licences of the buyer's account, for a signed-in buyer of one licence for themselves; null if the licence is sold
 * already, would add nothing, or has days that would run out beside a subscription. Ignores blocks made
 * after the checkout began: the licence is paid for.
 */
export async function buyersAccountOf(ctx: Ctx, payment: Payment): Promise<AccountLicences | null> {
  const { accountId: id, soldAt, devices, days, quantity, giftEmail } = payment;
  if (id === null || soldAt !== null || giftEmail !== null || quantity !== 1) return null;
  if (!isReadable(payment) || payment.livemode !== ctx.livemode) return null;
  const owned = await readAccountLicences(ctx, id);
  if (!owned || devices <= lifetimeDevices(ctx, owned.licences)) return null;
  return days !== null && (await holdsSubscription(ctx, id)) ? null : owned;
}
