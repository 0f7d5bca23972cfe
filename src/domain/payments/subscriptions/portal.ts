import { eq } from "drizzle-orm";
import { addressKey } from "@/contract/addresses";
import type { PortalFlow } from "@/contract/subscriptions";
import type { SiteCustomer } from "@/core/actor";
import type { Ctx } from "@/core/context";
import { Refusal } from "@/core/refusal";
import { recurringOffersOnSale } from "../../offers/list";
import { authorize } from "../../permissions";
import { accounts } from "../../schema/accounts";
import { licences } from "../../schema/licences";
import { payments } from "../../schema/payments";
import { type Subscription, subscriptions } from "../../schema/subscriptions";
import { type CheckoutGateway, CheckoutRefused, CheckoutUnreachable } from "../checkout/checkout";

type Wanted = { id: string; flow: PortalFlow | null; returnUrl: string; browserHashes: string[] };

/**
 * Stripe's page on which a customer changes, cancels or resumes a subscription; its address is good for minutes.
 * Refuses with `not_found`, `not_yours`, `checkout_refused` (with Stripe's sentence) or `checkout_unreachable`.
 */
export async function openPortal(
  ctx: Ctx,
  gateway: CheckoutGateway,
  actor: SiteCustomer,
  { id, flow, returnUrl, browserHashes }: Wanted,
): Promise<string> {
  authorize(actor, "subscription.manage");
  const [held] = await ctx.store.db.select().from(subscriptions).where(eq(subscriptions.id, id));
  if (!held) throw new Refusal("not_found");
  if (!(await mayManage(ctx, held, actor.accountId, browserHashes))) throw new Refusal("not_yours");
  const offers = await recurringOffersOnSale(ctx);
  try {
    return await gateway.openPortal({
      offers,
      customerId: held.customerId,
      subscription: held.endedAt === null ? held.stripeId : null,
      flow: held.endedAt === null ? flow : null,
      returnUrl,
    });
  } catch (error) {
    // such as a cancellation that was made in another tab
    if (error instanceof CheckoutRefused) throw new Refusal("checkout_refused", { sentence: error.message });
    throw error instanceof CheckoutUnreachable ? new Refusal("checkout_unreachable") : error;
  }
}

/**
 * The buyer: the account itself, or the one that redeemed its key in the browser or under the address that bought
 * it. Somebody who was given the key may not touch another's card.
 */
async function mayManage(
  { store: { db } }: Ctx,
  { id, accountId: buyer }: Subscription,
  accountId: string,
  browserHashes: string[],
): Promise<boolean> {
  if (buyer === accountId) return true;
  const [[bought], [licence], [account]] = await db.batch([
    db.select().from(payments).where(eq(payments.id, id)),
    db.select().from(licences).where(eq(licences.primaryPaymentId, id)),
    db.select().from(accounts).where(eq(accounts.id, accountId)),
  ]);
  if (!bought || !account || licence?.accountId !== accountId) return false;
  const isBuyersBrowser = bought.browserHash !== null && browserHashes.includes(bought.browserHash);
  return isBuyersBrowser || bought.emailKey === addressKey(account.email);
}
