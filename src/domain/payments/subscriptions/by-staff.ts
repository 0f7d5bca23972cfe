import type { By } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import { commit } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { expectNoCopy } from "@/core/database/restored-copy";
import { authorize } from "../../permissions";
import type { Subscription } from "../../schema/subscriptions";
import type { CheckoutGateway } from "../port/stripe";
import { settleSubject } from "../settlement/settle";
import { endAtStripe, endWhenUsedUp } from "./agree";
import { subscriptionNamed } from "./for-staff";
import { type SubscriptionReport, syncAll } from "./sync-all";

type EndRequest = { when: "now" | "period_end"; by: By };

/**
 * Cancels a subscription at Stripe, at the end of what was paid or at once; what was paid stays paid. Throws
 * `CheckoutUnreachable`.
 */
export async function cancelAsStaff(
  ctx: Ctx,
  gateway: CheckoutGateway,
  { id, stripeId }: Subscription,
  { when, by }: EndRequest,
): Promise<Subscription> {
  authorize(by, "subscription.cancel");
  await (when === "now" ? endAtStripe(gateway, stripeId) : endWhenUsedUp(ctx, gateway, stripeId));
  await commit(ctx.store, [
    record(ctx, { ...by, action: "subscription.cancelled", subject: id, detail: { when } }),
  ]);
  await settleSubject(ctx, gateway, { subscription: stripeId });
  return subscriptionNamed(ctx, id);
}

/** Settles one subscription from what Stripe says now. Throws `CheckoutUnreachable`. */
export async function syncSubscription(
  ctx: Ctx,
  gateway: CheckoutGateway,
  { id, stripeId }: Subscription,
  by: By,
): Promise<Subscription> {
  authorize(by, "subscription.sync");
  await settleSubject(ctx, gateway, { subscription: stripeId });
  await commit(ctx.store, [record(ctx, { ...by, action: "subscription.synced", subject: id })]);
  return subscriptionNamed(ctx, id);
}

/**
 * Settles every subscription that Stripe has, as {@link syncAll} does; `agreed`: what it finds after a restore is then made
 * so at Stripe, however much it is. Refuses with `copy` on a restored copy, whose hold is for when it takes over. Throws
 * `CheckoutUnreachable`.
 */
export async function syncSubscriptions(
  ctx: Ctx,
  gateway: CheckoutGateway,
  { by, ...how }: { by: By; agreed?: boolean; onProgress?: (asked: number) => void },
): Promise<SubscriptionReport> {
  authorize(by, "subscription.sync");
  await expectNoCopy(ctx);
  const report = await syncAll(ctx, gateway, how);
  const { asked, taken, changed, failed } = report;
  const detail = { asked, changed: taken + changed, failed };
  await commit(ctx.store, [record(ctx, { ...by, action: "subscriptions.synced", subject: "all", detail })]);
  return report;
}
