import { createRoute } from "@hono/zod-openapi";
import { pageQuery } from "@/contract/wire/pages";
import { findOrdersBody, mailed, mailedBody, type Payment, payment } from "@/contract/wire/payments";
import { sentence } from "@/contract/wire/security";
import { spendByAddress } from "@/core/limits/limits";
import { Refusal } from "@/core/base/refusal";
import { type ListedPayment, paymentsOf } from "@/domain/payments/reading/payments";
import { ordersEmail } from "@/domain/payments/emails/orders";
import { mailedKey } from "@/domain/payments/reading/mailed-key";
import { askForOrders } from "@/domain/payments/status/ask-for-orders";
import { answers, jsonBody, needsSession, ok, wakeAfterAnswering } from "../answers";
import { listAnswers, page, placeIn, rowsToRead } from "../list-answers";
import { limited, newRouter, notUsedUp, signedInOnly } from "../route-guards";
import type { Shop } from "../shop";

const ordersSent =
  "If anything was bought with that address, an email that lists it is on its way (check spam folder)";

/** /api/payments: the account's payments, and finding an order again. */
export function paymentRoutes(shop: Shop) {
  const { ctx, limits } = shop;
  return newRouter()
    .openapi(
      createRoute({
        method: "get",
        path: "/",
        tags: ["Payments"],
        summary: "The account's payments",
        security: needsSession,
        middleware: [signedInOnly(shop)] as const,
        request: { query: pageQuery },
        responses: listAnswers("Newest first", payment),
      }),
      async (c) => {
        const own = await paymentsOf(ctx, c.get("signedIn").account.id, {
          after: placeIn(c.req.valid("query")),
          most: rowsToRead,
        });
        return c.json(
          page(own, { wire: paymentOnTheWire, place: ({ createdAt, id }) => ({ at: createdAt, id }) }),
          200,
        );
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/find",
        tags: ["Payments"],
        summary: "Mail what was bought with an email address",
        description:
          "The answer and its timing are the same whether or not anything was bought. A key is mailed whole until it is redeemed.",
        middleware: [notUsedUp(shop, "find-orders-address")] as const,
        request: jsonBody(findOrdersBody),
        responses: answers("Sent, if anything was bought", sentence),
      }),
      async (c) => {
        await spendByAddress(ctx, limits["find-orders-address"], c.get("address"));
        await askForOrders(ctx, limits, c.req.valid("json").email);
        wakeAfterAnswering(shop, ordersEmail);
        return c.json(ok(ordersSent), 200);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/mailed",
        tags: ["Payments"],
        summary: "What the link in a receipt or gift mail stands for",
        description:
          "Only reads. Refuses with `link_invalid` 14 days after the mail was accepted, and once the order has another address or the key was redeemed or replaced.",
        middleware: [limited(shop, "verify")] as const,
        request: jsonBody(mailedBody),
        responses: answers("Its address and key", mailed),
      }),
      async (c) => {
        const found = await mailedKey(ctx, c.req.valid("json").token);
        if (!found) throw new Refusal("link_invalid");
        return c.json(ok({ email: found.email, key: found.key }), 200);
      },
    );
}

export const paymentOnTheWire = (payment: ListedPayment): Payment => ({
  id: payment.id,
  status: payment.state,
  failure_reason: payment.failureReason,
  payment_method: payment.method,
  license_key: payment.keys[0] ?? null,
  created_at: payment.createdAt.toISOString(),
  payment_id: payment.intentId ?? payment.id,
  bill: payment.bill,
  offer: payment.offer,
  offer_name: payment.product,
  quantity: payment.quantity,
  license_keys: payment.keys,
  unusable_keys: payment.unusable,
  more_keys: payment.moreKeys,
  invoice_url: payment.invoiceUrl,
  subscription: payment.subscriptionId,
  renewal: payment.renewal,
  gift: payment.gift,
});
