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
import { settleSubject } from "../settle/settle";
import {
  CheckoutForbidden,
  type CheckoutGateway,
  CheckoutRefused,
  CheckoutUnreachable,
} from "../checkout/checkout";

type Wanted = { id: string; flow: PortalFlow | null; returnUrl: string; browserHashes: string[] };

/**
 * Stripe's page on which a customer changes, cancels or resumes a subscription; its address is good for minutes. An
 * account that only has the buyer's address, which anybody can type, is led to the page on which Stripe mails that
 * address a link. Refuses with `not_found`, `not_yours`, `checkout_refused` (with Stripe's sentence) or `checkout_unreachable`.
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
  const may = await mayManage(ctx, held, actor.accountId, browserHashes);
  if (may === "no") throw new Refusal("not_yours");
  const offers = await recurringOffersOnSale(ctx);
  try {
    if (may === "yes") {
      return await gateway.openPortal({
        offers,
        customerId: held.customerId,
        subscription: held.endedAt === null ? held.stripeId : null,
        flow: held.endedAt === null ? flow : null,
        returnUrl,
      });
    }
    const page = await gateway.portalLoginPage({ offers, shopUrl: new URL(returnUrl) });
    if (page) return page;
  } catch (error) {
    // such as a cancellation that was made in another tab
    if (error instanceof CheckoutRefused) throw new Refusal("checkout_refused", { sentence: error.message });
    if (!(error instanceof CheckoutForbidden))
      throw error instanceof CheckoutUnreachable ? new Refusal("checkout_unreachable") : error;
    if (may === "yes") throw error;
  }
  throw new Refusal("not_yours");
}

/**
 * Settles a subscription that a customer may have changed on Stripe's page, so that they come back to what they did there
 * and don't wait for its webhook. Nothing happens to one that their account neither bought nor redeemed. Throws
 * `CheckoutUnreachable`.
 */
export async function settleOwn(
  ctx: Ctx,
  gateway: CheckoutGateway,
  actor: SiteCustomer,
  id: string,
): Promise<void> {
  authorize(actor, "subscription.manage");
  const { accountId } = actor;
  const [held] = await ctx.store.db
    .select({ stripeId: subscriptions.stripeId, buyer: subscriptions.accountId, owner: licences.accountId })
    .from(subscriptions)
    .leftJoin(licences, eq(licences.primaryPaymentId, subscriptions.id))
    .where(eq(subscriptions.id, id));
  if (held?.buyer !== accountId && held?.owner !== accountId) return;
  await settleSubject(ctx, gateway, { subscription: held.stripeId });
}

/**
 * The buyer: the account itself, or the one that redeemed its key in the buyer's browser; by mail, the one that redeemed
 * it under the buyer's address. Somebody who was given the key may not touch another's card.
 */
async function mayManage(
  { store: { db } }: Ctx,
  { id }: Subscription,
  accountId: string,
  browserHashes: string[],
): Promise<"yes" | "by mail" | "no"> {
  const [[bought], [licence], [account]] = await db.batch([
    db.select().from(payments).where(eq(payments.id, id)),
    db.select().from(licences).where(eq(licences.primaryPaymentId, id)),
    db.select().from(accounts).where(eq(accounts.id, accountId)),
  ]);
  if (!bought || !account) return "no";
  if (bought.accountId === accountId) return "yes";
  if (licence?.accountId !== accountId) return "no";
  if (bought.browserHash !== null && browserHashes.includes(bought.browserHash)) return "yes";
  return bought.emailKey === addressKey(account.email) ? "by mail" : "no";
}
