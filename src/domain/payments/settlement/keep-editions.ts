import { eq } from "drizzle-orm";
import type { Ctx } from "@/core/database/context";
import type { Handler } from "@/core/jobs/job-handlers";
import { type shopTopics } from "../../outbox-topics";
import { writtenEditions } from "../../licences/keys/key-editions";
import { payments } from "../../schema/payments";
import type { CheckoutGateway } from "../port/stripe";

/** The outbox handler that writes at Stripe how often each key of an order has been replaced so far. */
export const keepEditions =
  (ctx: Ctx, gateway: CheckoutGateway): Handler<typeof shopTopics.keepEditions> =>
  async ({ subject }) => {
    const [payment] = await ctx.store.db.select().from(payments).where(eq(payments.id, subject));
    if (!payment?.keyEditions) return [];
    const { sessionId, keyEditions } = payment;
    await gateway.writeEditions(sessionId, writtenEditions(ctx, sessionId, keyEditions));
    return [];
  };
