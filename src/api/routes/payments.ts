import { createRoute, z } from "@hono/zod-openapi";
import { pageQuery } from "@/contract/wire/pages";
import { findOrdersBody, mailed, mailedBody, type Payment, payment } from "@/contract/wire/payments";
import { sentence } from "@/contract/wire/security";
import { spend, spendByAddress } from "@/core/limits/limits";
import { Refusal } from "@/core/base/refusal";
import { type ListedPayment, paymentsOfAccount } from "@/domain/payments/reading/payments";
import { ordersEmail } from "@/domain/payments/emails/orders";
import { mailedKey } from "@/domain/payments/reading/mailed-key";
import { requestOrdersEmail } from "@/domain/payments/status/request-orders-email";
import { changedSubscription } from "@/contract/vocabulary/page-marks";
import {
  dropBody,
  checkBody,
  portal,
  portalBody,
  type Subscription,
  subscription,
} from "@/contract/wire/subscriptions";
import { second } from "@/contract/vocabulary/time";
import { customer } from "@/core/base/actor";
import { reasonOf } from "@/core/log/log";
import { withTimeout } from "@/core/base/with-timeout";
import {
  type OwnSubscription,
  pendingSubscriptionsOf,
  subscriptionsOf,
} from "@/domain/payments/reading/subscriptions";
import { cancelPendingSubscription } from "@/domain/payments/subscriptions/open-checkouts";
import { openPortal, settleOwnSubscription } from "@/domain/payments/subscriptions/portal";
import type { Payment as StoredPayment } from "@/domain/schema/payments";
import { cardOf, plusTax } from "@/domain/schema/subscriptions";
import { answers, jsonBody, needsSession, ok, wakeAfterAnswering } from "../answers";
import { listAnswers, pageAnswer, placeIn, rowsToRead } from "../list-answers";
import { limitRequests, newRouter, refuseExhausted, signedInCall, signedInOnly } from "../route-guards";
import type { Shop } from "../shop";

const ordersSent = "If that address bought something, the order is on its way. Check spam, too.";

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
        const own = await paymentsOfAccount(ctx, c.get("signedIn").account.id, {
          after: placeIn(c.req.valid("query")),
          most: rowsToRead,
        });
        return c.json(
          pageAnswer(own, { wire: paymentOnTheWire, place: ({ createdAt, id }) => ({ at: createdAt, id }) }),
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
        middleware: [refuseExhausted(shop, "find-orders-address")] as const,
        request: jsonBody(findOrdersBody),
        responses: answers("Sent, if anything was bought", sentence),
      }),
      async (c) => {
        await spendByAddress(ctx, limits["find-orders-address"], c.get("address"));
        await requestOrdersEmail(ctx, limits, c.req.valid("json").email);
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
        middleware: [limitRequests(shop, "verify")] as const,
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
  level: payment.soldAs,
  quantity: payment.quantity,
  license_keys: payment.keys,
  unusable_keys: payment.unusable,
  more_keys: payment.moreKeys,
  invoice_url: payment.invoiceUrl,
  subscription: payment.subscriptionId,
  renewal: payment.renewal,
  gift: payment.gift,
});

/** How long a customer who comes back waits for Stripe's answer. */
const mostWait = 5 * second;

/** /api/subscriptions: the account's subscriptions, and Stripe's page on which to change them. */
export function subscriptionRoutes(shop: Shop) {
  const { ctx, limits } = shop;
  const { publicUrl } = shop.config;
  const signedIn = signedInCall(shop);
  return newRouter()
    .openapi(
      createRoute({
        method: "get",
        path: "/",
        tags: ["Payments"],
        summary: "The account's subscriptions",
        ...signedIn,
        request: { query: pageQuery },
        responses: listAnswers("Newest first", subscription),
      }),
      async (c) => {
        const accountId = c.get("signedIn").account.id;
        const after = placeIn(c.req.valid("query"));
        const own = await subscriptionsOf(ctx, accountId, { after, most: rowsToRead });
        const pending = after === null ? await pendingSubscriptionsOf(ctx, accountId) : [];
        const { data, ...rest } = pageAnswer(own, {
          wire: subscriptionOnTheWire,
          place: ({ startedAt, id }) => ({ at: startedAt, id }),
        });
        return c.json({ ...rest, data: [...pending.map(pendingOnTheWire), ...data] }, 200);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/portal",
        tags: ["Payments"],
        summary: "Stripe's page on which to change, cancel or resume a subscription",
        description:
          "For the account that bought it, that redeemed its key in the browser that bought it, or that has confirmed the address of its first order.",
        ...signedIn,
        request: jsonBody(portalBody),
        responses: answers("Where to send the browser", portal),
      }),
      async (c) => {
        const { account } = c.get("signedIn");
        await spend(ctx, limits.portal, account.id);
        const { id, flow = null, return_to: returnTo } = c.req.valid("json");
        const back = new URL(returnTo, publicUrl);
        back.searchParams.set(changedSubscription, id);
        const asked = { id, flow, returnUrl: back.href };
        const url = await openPortal(ctx, shop.checkout, customer(account.id), asked);
        return c.json(ok({ url }), 200);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/drop",
        tags: ["Payments"],
        summary: "Cancels a subscription whose first payment is still to be made",
        description: "Refused with `subscription_processing` once the bank moves the money.",
        ...signedIn,
        request: jsonBody(dropBody),
        responses: answers("It is canceled", z.null()),
      }),
      async (c) => {
        const { account } = c.get("signedIn");
        await spend(ctx, limits.portal, account.id);
        await cancelPendingSubscription(ctx, shop.checkout, customer(account.id), c.req.valid("json").id);
        return c.json(ok(null), 200);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/look",
        tags: ["Payments"],
        summary: "Look at a subscription at Stripe",
        description:
          "For the page that Stripe's leads back to with `changed`: it then shows what was changed there, and needn't wait for the webhook. If Stripe doesn't answer in time, the webhook settles it.",
        ...signedIn,
        request: jsonBody(checkBody),
        responses: answers("Looked at, or Stripe is away", z.null()),
      }),
      async (c) => {
        const { account } = c.get("signedIn");
        const { id } = c.req.valid("json");
        await spend(ctx, limits["subscription-look"], account.id);
        await withTimeout(
          mostWait,
          settleOwnSubscription(ctx, shop.checkout, customer(account.id), id),
        ).catch((error: unknown) =>
          ctx.log.warn("a subscription could not be looked at on the way back", {
            reason: reasonOf(error),
          }),
        );
        return c.json(ok(null), 200);
      },
    );
}

const pendingOnTheWire = ({ id, offer, currency, every }: StoredPayment): Subscription => ({
  id,
  offer: offer ?? "",
  status: "pending",
  renews_at: null,
  ends_at: null,
  changes_at: null,
  changes_to: null,
  amount: null,
  currency,
  interval: every ?? "month",
  card: null,
  license_key: null,
});

export const subscriptionOnTheWire = (own: OwnSubscription): Subscription => ({
  id: own.id,
  offer: own.offer,
  status: own.status,
  renews_at: own.renewsAt?.toISOString() ?? null,
  ends_at: own.endsAt?.toISOString() ?? null,
  changes_at: own.changesAt?.toISOString() ?? null,
  changes_to: own.changesTo,
  amount: own.nextAmount,
  ...plusTax(own),
  currency: own.currency,
  interval: own.every,
  card: cardOf(own),
  license_key: own.key,
});
