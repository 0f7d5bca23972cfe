import { and, desc, eq, gt, isNotNull } from "drizzle-orm";
import { day } from "@/contract/vocabulary/time";
import type { Ctx } from "@/core/database/context";
import type { Handler } from "@/core/jobs/job-handlers";
import { enqueue } from "@/core/jobs/outbox";
import { shopTopics } from "../../outbox-topics";
import { readDevicesForLife } from "../../licences/changes/redeem";
import { payments } from "../../schema/payments";
import type { CheckoutGateway } from "../port/stripe";
import { settle } from "../settlement/settle";
import { heldBack } from "../settlement/holding-back";
import { runningOf } from "../reading/subscriptions";

/** A buyer can pay a checkout for a day. */
const openMilliseconds = day;
/** Jobs for people who wait, such as refunds, run between pages. */
const pageSize = 20;

/**
 * The outbox handler that expires an account's other checkouts of subscriptions once it has one, or a lifetime, a page
 * at a time. What was completed meanwhile is settled; a second subscription is given back.
 */
export const carryOutExpiry =
  (ctx: Ctx, gateway: CheckoutGateway): Handler<typeof shopTopics.expireCheckouts> =>
  async ({ subject: accountId }) => {
    if (await heldBack(ctx)) return [];
    const wantsNone =
      (await runningOf(ctx, accountId)) !== null || (await readDevicesForLife(ctx, accountId)) > 0;
    if (!wantsNone) return [];
    const page = await openCheckouts(ctx, accountId);
    let ended = 0;
    for (const { sessionId } of page) {
      await gateway.expireCheckout(sessionId);
      const after = await settle(ctx, gateway, sessionId);
      if (after?.state !== "open") ended += 1;
    }
    // what Stripe leaves open would come again for ever
    return page.length === pageSize && ended > 0
      ? [enqueue(ctx, { topic: shopTopics.expireCheckouts, subject: accountId })]
      : [];
  };

const openCheckouts = ({ store: { db }, now, livemode }: Ctx, accountId: string) =>
  db
    .select({ sessionId: payments.sessionId })
    .from(payments)
    .where(
      and(
        eq(payments.accountId, accountId),
        eq(payments.state, "open"),
        gt(payments.createdAt, new Date(now().getTime() - openMilliseconds)),
        isNotNull(payments.every),
        eq(payments.livemode, livemode),
      ),
    )
    .orderBy(desc(payments.createdAt), desc(payments.id))
    .limit(pageSize);
