import { createRoute, z } from "@hono/zod-openapi";
import type { Handler } from "hono";
import { failpoint } from "@/core/log/failpoints";
import { reasonOf } from "@/core/log/log";
import { Refusal } from "@/core/base/refusal";
import { endpointSecrets } from "@/domain/payments/reconcile/stripe-endpoints";
import { CheckoutRefused, CheckoutUnreachable, type EventSubject } from "@/domain/payments/port/stripe";
import { settleLater } from "@/domain/payments/reconcile/settle-subjects";
import { settleSubject } from "@/domain/payments/settlement/settle";
import { answers, ok } from "../answers";
import { shallowText } from "../json-body";
import type { Env, Shop } from "../shop";

/** The webhook's description. The handler reads the body raw, so this schema doesn't validate it. */
export const webhookCall = createRoute({
  method: "post",
  path: "/api/stripe/webhook",
  tags: ["Payments"],
  summary: "Stripe's webhook",
  description: "The signature and its age are checked against the raw body.",
  security: [{ stripeSignature: [] }],
  request: {
    body: {
      required: true,
      content: { "application/json": { schema: { type: "object", description: "A Stripe event" } } },
    },
  },
  responses: answers("The event's effect is stored, or the look that is still to do", z.null()),
});

/**
 * Stripe's webhook. Checks the signature and its age against the raw body, then settles the payment from what Stripe
 * says now rather than from the event. Answers 200 only once that, or the check still to be made, is stored; after a 503
 * Stripe sends the event again. https://docs.stripe.com/webhooks
 */
export const stripeWebhook =
  (shop: Shop): Handler<Env> =>
  async (c) => {
    const signature = c.req.header("stripe-signature") ?? "";
    const event = await shop.checkout.subjectOf(await shallowText(c), signature, () =>
      endpointSecrets(shop.ctx),
    );
    if (!event) {
      // refuses it even if the refusal can't be stored
      await shop.webhooks.refused().catch(() => {});
      throw new Refusal("webhook_signature_invalid");
    }
    try {
      await Promise.all([event.subject && settleOrKeep(shop, event.subject), shop.webhooks.taken()]);
    } catch (error) {
      shop.ctx.log.warn("a webhook could not be stored", { reason: reasonOf(error) });
      throw new Refusal("webhook_not_stored");
    }
    failpoint("webhook.settled");
    return c.json(ok(null), 200);
  };

/** If Stripe is unreachable, slow or refuses, the outbox tries again. */
async function settleOrKeep({ ctx, checkout }: Shop, subject: EventSubject): Promise<void> {
  try {
    await settleSubject(ctx, checkout, subject);
  } catch (error) {
    if (!(error instanceof CheckoutUnreachable || error instanceof CheckoutRefused)) throw error;
    ctx.log.warn("a webhook could not be settled", { reason: reasonOf(error) });
    await settleLater(ctx, subject);
  }
}
