import { eq } from "drizzle-orm";
import type { Ctx } from "@/core/database/context";
import type { Handler } from "@/core/jobs/job-handlers";
import { reasonOf } from "@/core/log/log";
import type { shopTopics } from "../../outbox-topics";
import { payments } from "../../schema/payments";
import { type CheckoutGateway, CheckoutRefused } from "../port/stripe";

/** The outbox handler that takes an order's corrected address to Stripe, unless its customer chose another there. */
export const correctBilling =
  (ctx: Ctx, gateway: CheckoutGateway): Handler<typeof shopTopics.correctBilling> =>
  async ({ subject, payload: { former } }) => {
    const [order] = await ctx.store.db.select().from(payments).where(eq(payments.id, subject));
    if (!order?.email || !order.subscription) return [];
    const wanted = { subscription: order.subscription, former, email: order.email };
    await gateway.correctBilling(wanted).catch((error: unknown) => {
      if (!(error instanceof CheckoutRefused)) throw error;
      ctx.log.warn("Stripe refused an order's corrected address", { reason: reasonOf(error) });
    });
    return [];
  };
