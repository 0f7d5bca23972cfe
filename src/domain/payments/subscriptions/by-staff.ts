import { inArray } from "drizzle-orm";
import pLimit from "p-limit";
import type { By } from "@/core/actor";
import { record } from "@/core/audit";
import { commit } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { reasonOf } from "@/core/log";
import { authorize } from "../../permissions";
import { type Subscription, subscriptions } from "../../schema/subscriptions";
import { CheckoutForbidden, type CheckoutGateway, CheckoutUnreachable } from "../checkout/checkout";
import { settleSubject } from "../settle/settle";
import { endAtStripe, endWhenUsedUp } from "./agree";
import { subscriptionNamed } from "./for-staff";

type Ending = { when: "now" | "period_end"; by: By };

/**
 * Cancels a subscription at Stripe, at the end of what was paid or at once; what was paid stays paid. Throws
 * `CheckoutUnreachable`.
 */
export async function cancelAsStaff(
  ctx: Ctx,
  gateway: CheckoutGateway,
  { id, stripeId }: Subscription,
  { when, by }: Ending,
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

export type SubscriptionReport = { asked: number; taken: number; changed: number; failed: number };

/** Each costs several requests of the hundred a second that Stripe allows. */
const atOnce = 4;

/**
 * Settles every subscription that Stripe has, ended ones too, and takes in those with this shop's seal that it doesn't
 * know, as after a lost database. Safe to repeat. Throws `CheckoutUnreachable`.
 */
export async function syncSubscriptions(
  ctx: Ctx,
  gateway: CheckoutGateway,
  { by, onProgress }: { by: By; onProgress?: (asked: number) => void },
): Promise<SubscriptionReport> {
  authorize(by, "subscription.sync");
  const report: SubscriptionReport = { asked: 0, taken: 0, changed: 0, failed: 0 };
  for (let from: string | null = null, more = true; more;) {
    const page = await gateway.listSubscriptions(from);
    await settlePage(ctx, gateway, page.ids, report);
    onProgress?.(report.asked);
    from = page.next;
    more = from !== null;
  }
  const { asked, taken, changed, failed } = report;
  const detail = { asked, changed: taken + changed, failed };
  await commit(ctx.store, [record(ctx, { ...by, action: "subscriptions.synced", subject: "all", detail })]);
  return report;
}

async function settlePage(
  ctx: Ctx,
  gateway: CheckoutGateway,
  ids: string[],
  report: SubscriptionReport,
): Promise<void> {
  const before = await heldOf(ctx, ids);
  const limit = pLimit(atOnce);
  const results = await Promise.allSettled(
    ids.map((subscription) => limit(() => settleSubject(ctx, gateway, { subscription }))),
  );
  for (const result of results) {
    if (result.status === "fulfilled") continue;
    const { reason } = result;
    if (reason instanceof CheckoutUnreachable && !(reason instanceof CheckoutForbidden)) throw reason;
    ctx.log.warn("a subscription could not be settled", { reason: reasonOf(reason) });
    report.failed += 1;
  }
  report.asked += ids.length;
  for (const [id, { status }] of await heldOf(ctx, ids)) {
    const known = before.get(id);
    if (!known) report.taken += 1;
    else if (known.status !== status) report.changed += 1;
  }
}

async function heldOf({ store }: Ctx, ids: string[]): Promise<Map<string, Subscription>> {
  if (ids.length === 0) return new Map();
  const rows = await store.db.select().from(subscriptions).where(inArray(subscriptions.stripeId, ids));
  return new Map(rows.map((row) => [row.stripeId, row]));
}
