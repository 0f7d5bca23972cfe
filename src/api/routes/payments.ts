import { createRoute, z } from "@hono/zod-openapi";
import { type Payment, payment } from "@/contract/payments";
import { paymentsOf } from "@/domain/payments/list";
import { answers, needsSession, ok } from "../answers";
import { newRouter, signedInOnly } from "../route-guards";
import type { Shop } from "../shop";

/** /api/payments: the account's payments. */
export function paymentRoutes(shop: Shop) {
  return newRouter().openapi(
    createRoute({
      method: "get",
      path: "/",
      tags: ["Payments"],
      summary: "The account's payments",
      security: needsSession,
      middleware: [signedInOnly(shop)] as const,
      responses: answers("Newest first", z.array(payment)),
    }),
    async (c) => {
      const own = await paymentsOf(shop.ctx, c.get("signedIn").account.id);
      return c.json(ok(own.map(paymentOnTheWire)), 200);
    },
  );
}

export const paymentOnTheWire = (payment: Awaited<ReturnType<typeof paymentsOf>>[number]): Payment => ({
  id: payment.id,
  status: payment.state,
  failure_reason: payment.failureReason,
  payment_method: payment.method,
  license_key: payment.key,
  created_at: payment.createdAt.toISOString(),
  payment_id: payment.intentId,
  bill: payment.bill,
});
