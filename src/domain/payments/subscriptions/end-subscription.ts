import type { Ctx } from "@/core/context";
import type { Handler } from "@/core/job-handlers";
import type { shopTopics } from "@/core/outbox-topics";
import type { CheckoutGateway } from "../checkout/checkout";
import { settleSubject } from "../settle/settle";

/** The outbox handler that ends a subscription at Stripe; one that has ended already stays as it is. */
export const carryOutEnd =
  (ctx: Ctx, gateway: CheckoutGateway): Handler<typeof shopTopics.endSubscription> =>
  async ({ subject: stripeId, payload: { when } }) => {
    await gateway.cancelSubscription(stripeId, when);
    await settleSubject(ctx, gateway, { subscription: stripeId });
    return [];
  };
