import { and, asc, eq, inArray, isNull } from "drizzle-orm";
import { day } from "@/contract/time";
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
export async function endSeconds(
  ctx: Ctx,
  { after, first }: { after: Subscription; first: Payment },
): Promise<Write[]> {
  // a guest's subscription that was redeemed later was bought on purpose
  if (first.accountId === null || after.accountId === null || after.endedAt !== null) return [];
  if (!isNew(ctx, after)) return [];
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
  const [, ...others] = [...running.filter(({ id }) => id !== after.id), after].toSorted(inOrder);
  const later = others.filter((one) => isNew(ctx, one)).map(({ id }) => id);
  if (later.length === 0) return [];
  const bought = await db
    .select()
    .from(payments)
    .where(and(inArray(payments.id, later), eq(payments.accountId, after.accountId)));
  return bought.flatMap((payment) => [
    ...(payment.subscription
      ? [
          enqueue(ctx, {
            topic: shopTopics.endSubscription,
            subject: payment.subscription,
            payload: { when: "now" },
          }),
        ]
      : []),
    ...giveBack(ctx, payment),
  ]);
}

/** Checkouts that were open at once end within a day. Later, whatever was to be given back has been. */
const isNew = (ctx: Ctx, { startedAt }: Subscription) => startedAt.getTime() > ctx.now().getTime() - 2 * day;

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
