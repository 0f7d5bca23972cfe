import { levelOf } from "../port/order-terms";
import { and, desc, eq, gt, isNotNull } from "drizzle-orm";
import { day } from "@/contract/vocabulary/time";
import type { Ctx } from "@/core/database/context";
import type { Handler } from "@/core/jobs/job-handlers";
import { enqueue } from "@/core/jobs/outbox";
import type { SiteCustomer } from "@/core/base/actor";
import { Refusal } from "@/core/base/refusal";
import { shopTopics } from "../../outbox-topics";
import { coveringIn, readHoldings } from "../../licences/entitlement/holdings";
import { type Payment, payments } from "../../schema/payments";
import { authorize } from "../../permissions";
import { type CheckoutGateway, CheckoutUnreachable } from "../port/stripe";
import { settle, settleSubject } from "../settlement/settle";
import { changesPausedUntil } from "../settlement/paused-changes";
import { pendingSubscriptionsOf, runningSubscriptionOf } from "../reading/subscriptions";
import { hasBegun } from "../state/subscription-state";
import { endAtStripe } from "./agree";

/** A buyer can pay a checkout for a day. */
const openMilliseconds = day;
/** Jobs for people who wait, such as refunds, run between pages. */
const pageSize = 20;

/**
 * The outbox handler that expires an account's other checkouts of subscriptions once it has one, or a lifetime that covers
 * them, a page at a time. What was completed meanwhile is settled; a second subscription is given back.
 */
export const expireOtherCheckouts =
  (ctx: Ctx, gateway: CheckoutGateway): Handler<typeof shopTopics.expireCheckouts> =>
  async ({ subject: accountId }) => {
    if (await changesPausedUntil(ctx)) return [];
    const isRunning = (await runningSubscriptionOf(ctx, accountId)) !== null;
    const holdings = await readHoldings(ctx, accountId);
    const isCovered = (one: Payment) =>
      holdings !== null && coveringIn(ctx, holdings, { ...one, level: levelOf(one).id }) !== null;
    const page = (await openCheckouts(ctx, accountId))
      .filter((one) => isRunning || isCovered(one))
      .slice(0, pageSize);
    let ended = 0;
    for (const { sessionId } of page) {
      await gateway.expireCheckout(sessionId);
      const after = await settle(ctx, gateway, sessionId);
      if (after?.state !== "open") ended += 1;
    }
    // a checkout that Stripe leaves open would be found again forever
    return page.length === pageSize && ended > 0
      ? [enqueue(ctx, { topic: shopTopics.expireCheckouts, subject: accountId })]
      : [];
  };

const openCheckouts = ({ store: { db }, now, livemode }: Ctx, accountId: string) =>
  db
    .select()
    .from(payments)
    .where(
      and(
        eq(payments.accountId, accountId),
        eq(payments.state, "open"),
        gt(payments.createdAt, new Date(now().getTime() - openMilliseconds)),
        isNotNull(payments.every),
        eq(payments.livemode, livemode),
      ),
    )
    .orderBy(desc(payments.createdAt), desc(payments.id));

/**
 * Cancels a subscription whose first money is still to be paid, as by a voucher, and voids its invoice. Refuses with
 * `not_found`, `subscription_processing` once the money is being moved, `unavailable` while a restored database is held
 * back, or `checkout_unreachable`.
 */
export async function cancelPendingSubscription(
  ctx: Ctx,
  gateway: CheckoutGateway,
  actor: SiteCustomer,
  id: string,
): Promise<void> {
  authorize(actor, "subscription.manage");
  const waiting = (await pendingSubscriptionsOf(ctx, actor.accountId)).find((one) => one.id === id);
  if (!waiting || waiting.subscription === null) throw new Refusal("not_found");
  if (await changesPausedUntil(ctx)) throw new Refusal("unavailable");
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
