import { and, eq, inArray } from "drizzle-orm";
import type { Ctx } from "@/core/database/context";
import type { Handler } from "@/core/jobs/job-handlers";
import { enqueue } from "@/core/jobs/outbox";
import { shopTopics } from "../../outbox-topics";
import { restoredCopy } from "@/core/database/restored-copy";
import { payments } from "../../schema/payments";
import type { CheckoutGateway } from "../port/stripe";
import { heldBack } from "./holding-back";
import { usesFrom } from "./code-limit";
import { settle } from "./settle";

/**
 * The outbox handler that ends a promotion code whose uses are all taken: switches it off at Stripe, so that no further
 * checkout bears it, and expires those of ours that do, a page at a time. What was completed meanwhile is settled.
 */
export const endCode =
  (ctx: Ctx, gateway: CheckoutGateway): Handler<typeof shopTopics.endCode> =>
  async ({ subject: code, payload: { limit, from } }) => {
    const isUsedUp = (await usesFrom(ctx, code, limit)).length > 0;
    if (!isUsedUp || (await restoredCopy(ctx)) || (await heldBack(ctx))) return [];
    if (from === null) await gateway.switchOffCode(code);
    const { sessionIds, next } = await gateway.openWithCode(code, from);
    for (const sessionId of await ours(ctx, sessionIds)) {
      await gateway.expireCheckout(sessionId);
      await settle(ctx, gateway, sessionId);
    }
    return next === null
      ? []
      : [enqueue(ctx, { topic: shopTopics.endCode, subject: code, payload: { limit, from: next } })];
  };

/** Those of the sessions that this shop opened. */
async function ours({ store: { db } }: Ctx, sessionIds: string[]): Promise<string[]> {
  if (sessionIds.length === 0) return [];
  const rows = await db
    .select({ sessionId: payments.sessionId })
    .from(payments)
    .where(and(inArray(payments.sessionId, sessionIds), eq(payments.state, "open")));
  return rows.map(({ sessionId }) => sessionId);
}
