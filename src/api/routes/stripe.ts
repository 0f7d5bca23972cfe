import { createRoute, z } from "@hono/zod-openapi";
import { checkout, checkoutBody, purchaseResult, stripeKey, verifyQuery } from "@/contract/wire/payments";
import { spend, spendByAddress } from "@/core/limits/limits";
import { Refusal } from "@/core/base/refusal";
import { randomToken, tokenHash } from "@/core/secrets/secrets";
import { openCheckout } from "@/domain/payments/checkout/order";
import { type Status, statusOfPayment, statusOfSession } from "@/domain/payments/status/status";
import { isRenewal } from "@/domain/schema/payments";
import { answers, bareAnswers, jsonBody, maybeSession, ok, refused } from "../answers";
import { browserHashesOf, checkoutMarks, maxOpenCheckouts } from "../checkout-marks";
import { writeCookie } from "../cookies";
import { limitRequests, newRouter, refuseExhausted, userAgentOf, signedInFrom } from "../route-guards";
import type { Shop } from "../shop";

/** /api/stripe: checkout and payment status. */
export function stripeRoutes(shop: Shop) {
  const { ctx, limits } = shop;
  const { publicUrl } = shop.config;
  return newRouter()
    .openapi(
      createRoute({
        method: "post",
        path: "/create-checkout-session",
        tags: ["Payments"],
        summary: "Open a hosted checkout",
        security: maybeSession,
        middleware: [refuseExhausted(shop, "checkout")] as const,
        request: jsonBody(checkoutBody),
        responses: answers("Where to send the browser", checkout),
      }),
      async (c) => {
        const signedIn = await signedInFrom(c, shop);
        await spendByAddress(ctx, limits.checkout, c.get("address"));
        if (signedIn) await spend(ctx, limits["checkout-account"], signedIn.account.id);
        const mark = randomToken();
        const opened = await openCheckout(ctx, shop.checkout, {
          ...c.req.valid("json"),
          publicUrl,
          buyer: {
            accountId: signedIn?.account.id ?? null,
            email: signedIn?.account.email ?? null,
            browserHash: tokenHash(mark),
            browserHashes: browserHashesOf(c, publicUrl),
            browser: { address: c.get("address"), userAgent: userAgentOf(c) },
          },
        });
        const value = [mark, ...checkoutMarks(c, publicUrl)].slice(0, maxOpenCheckouts).join(".");
        writeCookie(c, { name: "checkout", value, publicUrl });
        return c.json(ok(opened), 200);
      },
    )
    .openapi(
      createRoute({
        method: "get",
        path: "/verify-payment",
        tags: ["Payments"],
        summary: "A payment's status; asking also settles it",
        security: maybeSession,
        middleware: [limitRequests(shop, "verify")] as const,
        request: { query: verifyQuery },
        responses: {
          200: {
            description: "By session for anyone, by intent for the payment's owner",
            content: {
              "application/json": {
                schema: z.object({
                  status: z.literal(200),
                  data: purchaseResult,
                  status_message: z.string(),
                }),
              },
            },
          },
          "4XX": refused,
          "5XX": refused,
        },
      }),
      async (c) => {
        const { session_id: sessionId, payment_intent: named } = c.req.valid("query");
        const accountId = (await signedInFrom(c, shop))?.account.id ?? null;
        if (named !== undefined) {
          if (accountId === null) throw new Refusal("unauthenticated");
          const status = await statusOfPayment(ctx, shop.checkout, named, accountId);
          return c.json(onTheWire(status, shop.seller), 200);
        }
        const viewer = { accountId, browserHashes: browserHashesOf(c, publicUrl) };
        const status = await statusOfSession(ctx, shop.checkout, sessionId ?? "", viewer);
        return c.json(onTheWire(status, shop.seller), 200);
      },
    );
}

/** /api/functions/get-stripe-key: the provider's public key, outside the envelope. */
export function stripeKeyRoute(shop: Shop) {
  return newRouter().openapi(
    createRoute({
      method: "get",
      path: "/get-stripe-key",
      tags: ["Payments"],
      summary: "The payment provider's public key",
      middleware: [limitRequests(shop, "public")] as const,
      responses: bareAnswers("The key, outside the envelope", stripeKey),
    }),
    (c) => c.json({ key: shop.publishableKey }, 200),
  );
}

const onTheWire = (
  {
    title,
    headline,
    message,
    payment,
    bill,
    offer,
    product,
    level,
    keys,
    forAccount,
    page,
    again,
    nextCharge,
    ...shown
  }: Status,
  seller: string[],
) => ({
  status: 200 as const,
  status_message: headline,
  data: {
    status: title,
    message,
    id: payment.intentId ?? payment.sessionId,
    order: payment.id,
    created: Math.floor(payment.createdAt.getTime() / 1000),
    currency: payment.currency,
    amount: bill.paid,
    bill,
    offer,
    offer_name: product,
    level,
    quantity: payment.quantity,
    email: shown.email,
    sent_receipt: payment.receiptSentAt !== null,
    seller: payment.soldAt === null ? [] : seller,
    license_key: keys[0] ?? null,
    for_account: forAccount,
    next_charge: nextCharge && { ...nextCharge, at: nextCharge.at.toISOString() },
    checkout_url: page,
    order_again: again,
    license_keys: keys,
    unusable_keys: shown.unusable,
    redeemed_keys: shown.redeemed,
    term: shown.term,
    refunded_at: payment.refundedAt?.toISOString() ?? null,
    invoice_url: shown.invoiceUrl,
    subscription: shown.subscriptionId,
    renewal: isRenewal(payment),
    gift: shown.gift,
  },
});
