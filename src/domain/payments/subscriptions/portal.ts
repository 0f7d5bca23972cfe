import { and, eq } from "drizzle-orm";
import type { PortalFlow } from "@/contract/wire/subscriptions";
import type { SiteCustomer } from "@/core/base/actor";
import type { Ctx } from "@/core/database/context";
import { Refusal } from "@/core/base/refusal";
import { boughtBy } from "../../licences/entitlement/buyer";
import { recurringOffersOnSale } from "../../offers/list";
import { authorize } from "../../permissions";
import { subscriptions } from "../../schema/subscriptions";
import { settleSubject } from "../settlement/settle";
import { type CheckoutGateway, CheckoutRefused, isStripeAway } from "../port/stripe";

type PortalRequest = { id: string; flow: PortalFlow | null; returnUrl: string };

/**
 * Stripe's page on which the buyer changes, cancels or resumes a subscription; its address is good for minutes. Refuses
 * with `not_found`, `not_yours`, `no_billing` (its customer was deleted at Stripe), `checkout_refused` (with Stripe's
 * sentence) or `checkout_unreachable`.
 */
export async function openPortal(
  ctx: Ctx,
  gateway: CheckoutGateway,
  actor: SiteCustomer,
  { id, flow, returnUrl }: PortalRequest,
): Promise<string> {
  authorize(actor, "subscription.manage");
  const { db } = ctx.store;
  const [[held], [own]] = await db.batch([
    db.select().from(subscriptions).where(eq(subscriptions.id, id)),
    db
      .select({ id: subscriptions.id })
      .from(subscriptions)
      .where(and(eq(subscriptions.id, id), boughtBy(db, actor.accountId))),
  ]);
  if (!held) throw new Refusal("not_found");
  if (!own) throw new Refusal("not_yours");
  const isOver = held.endedAt !== null;
  let url: string | null;
  try {
    url = await gateway.openPortal({
      offers: await recurringOffersOnSale(ctx),
      customerId: held.customerId,
      subscription: isOver ? null : held.stripeId,
      flow: isOver ? null : flow,
      returnUrl,
    });
  } catch (error) {
    // such as a cancellation that was made in another tab
    if (error instanceof CheckoutRefused) throw new Refusal("checkout_refused", { sentence: error.message });
    throw isStripeAway(error) ? new Refusal("checkout_unreachable") : error;
  }
  if (url === null) throw new Refusal("no_billing");
  return url;
}

/**
 * Settles a subscription that a customer may have changed on Stripe's page, so that they come back to what they did there
 * and don't wait for its webhook. Nothing happens to one that their account did not buy. Throws `CheckoutUnreachable`.
 */
export async function settleOwnSubscription(
  ctx: Ctx,
  gateway: CheckoutGateway,
  actor: SiteCustomer,
  id: string,
): Promise<void> {
  authorize(actor, "subscription.manage");
  const { db } = ctx.store;
  const [held] = await db
    .select({ stripeId: subscriptions.stripeId })
    .from(subscriptions)
    .where(and(eq(subscriptions.id, id), boughtBy(db, actor.accountId)));
  if (held) await settleSubject(ctx, gateway, { subscription: held.stripeId });
}
