import { and, asc, eq, inArray, isNull } from "drizzle-orm";
import { actorId, theShop } from "@/core/actor";
import type { Write } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { notice } from "@/core/notice";
import { enqueue } from "@/core/outbox";
import { shopTopics } from "@/core/outbox-topics";
import { tokenHash } from "@/core/secrets";
import { type Payment, payments } from "../../schema/payments";
import { refunds } from "../../schema/refunds";
import { type Subscription, subscriptions } from "../../schema/subscriptions";

/** Any more have their turn at the next look. */
const mostAtOnce = 10;

/**
 * An account has one subscription bought by itself. Of several whose checkouts were completed, such as in two tabs, the
 * one that began first stays; the writes end each later one at once, and give its payment back.
 */
export async function endSeconds(ctx: Ctx, after: Subscription): Promise<Write[]> {
  if (after.accountId === null || after.endedAt !== null) return [];
  const { db } = ctx.store;
  const running = await db
    .select()
    .from(subscriptions)
    .where(
      and(
        eq(subscriptions.accountId, after.accountId),
        isNull(subscriptions.endedAt),
        eq(subscriptions.livemode, after.livemode),
      ),
    )
    .orderBy(asc(subscriptions.startedAt))
    .limit(mostAtOnce);
  const [, ...later] = [...running.filter(({ id }) => id !== after.id), after].toSorted(inOrder);
  if (later.length === 0) return [];
  const ids = later.map(({ id }) => id);
  const bought = await db.select().from(payments).where(inArray(payments.id, ids));
  return [
    ...later.map(({ stripeId }) =>
      enqueue(ctx, { topic: shopTopics.endSubscription, subject: stripeId, payload: { when: "now" } }),
    ),
    ...bought.flatMap((payment) => giveBack(ctx, payment)),
  ];
}

const inOrder = (one: Subscription, other: Subscription) =>
  one.startedAt.getTime() - other.startedAt.getTime() || (one.id < other.id ? -1 : 1);

/** Nothing, if a trial or a code left nothing to pay, or it was given back before. */
function giveBack(ctx: Ctx, payment: Payment): Write[] {
  const { id: paymentId, paidAmount, refundedAmount, intentId } = payment;
  const amount = (paidAmount ?? 0) - refundedAmount;
  if (amount <= 0 || intentId === null) return [];
  const now = ctx.now();
  const request = tokenHash(JSON.stringify([paymentId, "second subscription"]));
  // one refund, however often this is found: the id follows from the payment
  const id = `second-${paymentId}`;
  const reason = "The account already had a subscription.";
  const asked = { id, paymentId, amount, request, reason, askedBy: actorId(theShop), createdAt: now };
  return [
    ctx.store.db
      .insert(refunds)
      .values({ ...asked, state: "approved", decidedBy: actorId(theShop), decidedAt: now })
      .onConflictDoNothing(),
    enqueue(ctx, { topic: shopTopics.makeRefund, subject: id }),
    ...notice(ctx, `${paymentId}:second`, {
      kind: "trouble",
      what: "second subscription, cancelled and refunded",
    }),
  ];
}
