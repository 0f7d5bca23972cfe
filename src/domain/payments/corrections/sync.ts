import type { By } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import { commit } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { authorize } from "../../permissions";
import type { Payment } from "../../schema/payments";
import type { CheckoutGateway } from "../port/stripe";
import { deferredOrders } from "../reconcile/deferred-orders";
import { reconcilePayments } from "../reconcile/reconcile-payments";
import { settle } from "../settlement/settle";

/** Settles one payment from what Stripe says now. Resolves to what {@link settle} does; throws `CheckoutUnreachable`. */
export async function syncPayment(
  ctx: Ctx,
  gateway: CheckoutGateway,
  payment: Payment,
  by: By,
): Promise<Payment | null> {
  authorize(by, "payment.sync");
  const after = await settle(ctx, gateway, payment.sessionId, { warnings: true, refunds: true });
  await commit(ctx.store, [record(ctx, { ...by, action: "payment.synced", subject: payment.id })]);
  return after;
}

type SyncOptions = { by: By; onProgress?: (asked: number) => void };

/**
 * Reads Stripe's lists for what no webhook reported. Resolves to what it found, and the paid orders that wait for the
 * newer release that wrote them. Throws `CheckoutUnreachable`.
 */
export async function syncPayments(ctx: Ctx, gateway: CheckoutGateway, { by, onProgress }: SyncOptions) {
  authorize(by, "payment.sync");
  const report = await reconcilePayments(ctx, gateway, {
    lists: "now",
    ...(onProgress ? { onProgress } : {}),
  });
  const { asked, changed, failed } = report;
  await commit(ctx.store, [
    record(ctx, { ...by, action: "payments.synced", subject: "all", detail: { asked, changed, failed } }),
  ]);
  return { report, kept: await deferredOrders(ctx) };
}
