import type { SiteCustomer } from "@/core/base/actor";
import type { Ctx } from "@/core/database/context";
import { Refusal } from "@/core/base/refusal";
import { authorize } from "../../permissions";
import { type CheckoutGateway, CheckoutUnreachable } from "../port/stripe";
import { settleSubject } from "../settlement/settle";
import { endAtStripe } from "./agree";
import { heldBack } from "../settlement/holding-back";
import { pendingOf } from "../reading/subscriptions";
import { hasBegun } from "../standing/standing";

/**
 * Cancels a subscription whose first money is still to be paid, as by a voucher, and voids its invoice. Refuses with
 * `not_found`, `subscription_processing` once the money is being moved, `unavailable` while a restored database is held
 * back, or `checkout_unreachable`.
 */
export async function dropPending(
  ctx: Ctx,
  gateway: CheckoutGateway,
  actor: SiteCustomer,
  id: string,
): Promise<void> {
  authorize(actor, "subscription.manage");
  const waiting = (await pendingOf(ctx, actor.accountId)).find((one) => one.id === id);
  if (!waiting || waiting.subscription === null) throw new Refusal("not_found");
  if (await heldBack(ctx)) throw new Refusal("unavailable");
  const stripeId = waiting.subscription;
  const settled = () => settleSubject(ctx, gateway, { sessionId: waiting.sessionId });
  try {
    const facts = await gateway.readSubscription(stripeId, null);
    if (facts && hasBegun(facts)) {
      await settled();
      throw new Refusal("subscription_processing");
    }
    if (facts?.invoices.some(({ isProcessing }) => isProcessing))
      throw new Refusal("subscription_processing");
    await endAtStripe(gateway, stripeId);
    await settled();
  } catch (error) {
    throw error instanceof CheckoutUnreachable ? new Refusal("checkout_unreachable") : error;
  }
}
