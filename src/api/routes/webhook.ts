import { createRoute, z } from "@hono/zod-openapi";
import type { Handler } from "hono";
import { failpoint } from "@/core/failpoints";
import { reasonOf } from "@/core/log";
import { Refusal } from "@/core/refusal";
import { settleSubject } from "@/domain/payments/settle";
import { answers, ok } from "../answers";
import type { Env, Shop } from "../shop";

/** How the webhook is described. Its body is read raw, so nothing here validates it. */
export const webhookCall = createRoute({
  method: "post",
  path: "/api/stripe/webhook",
  tags: ["Payments"],
  summary: "Something happened at Stripe",
  description: "The signature and its age are checked on the raw body.",
  security: [{ stripeSignature: [] }],
  request: {
    body: {
      required: true,
      content: { "application/json": { schema: { type: "object", description: "An event of Stripe's" } } },
    },
  },
  responses: answers("The effect is on disk", z.null()),
});

/**
 * Stripe's webhook: signature and age are checked on the raw body, then the session that the event is
 * about is settled from what Stripe says now. 200 only after that is on disk; 503 makes Stripe send it
 * again. https://docs.stripe.com/webhooks
 */
export const stripeWebhook =
  (shop: Shop): Handler<Env> =>
  async (c) => {
    const signature = c.req.header("stripe-signature") ?? "";
    const event = await shop.checkout.subjectOf(await c.req.text(), signature);
    if (!event) {
      shop.webhooks.refused();
      throw new Refusal("webhook_signature_invalid");
    }
    try {
      if (event.subject) await settleSubject(shop.ctx, shop.checkout, event.subject);
      await shop.webhooks.taken();
    } catch (error) {
      shop.ctx.log.warn("a webhook could not be settled", { reason: reasonOf(error) });
      throw new Refusal("webhook_not_stored");
    }
    failpoint("webhook.settled");
    return c.json(ok(null), 200);
  };
