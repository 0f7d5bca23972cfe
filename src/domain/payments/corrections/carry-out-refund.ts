import { and, eq } from "drizzle-orm";
import { utcDay } from "@/contract/vocabulary/dates";
import { money } from "@/contract/vocabulary/money";
import { theShop } from "@/core/base/actor";
import { commitIfFirst, mustHaveChanged, type Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { failpoint } from "@/core/log/failpoints";
import { notice } from "../../notice";
import type { Handler } from "@/core/jobs/job-handlers";
import { type shopTopics } from "../../outbox-topics";
import { type Refund, refunds } from "../../schema/refunds";
import { queueAnswerInThread } from "../../tickets/reading/thread";
import { type CheckoutGateway, CheckoutRefused } from "../port/stripe";
import {
  expectRefund,
  failedAtStripe,
  logRefund,
  redrawCardOf,
  refundInWords,
  type RefundView,
} from "../refunds/refunds";
import { settle } from "../settlement/settle";

/** The outbox handler that makes approved refunds at Stripe. */
export const makeRefund =
  (ctx: Ctx, gateway: CheckoutGateway): Handler<typeof shopTopics.makeRefund> =>
  async ({ subject }) => {
    await carryOutRefund(ctx, gateway, subject);
    return [];
  };

/** `isNew`: this call made the refund, or Stripe refused it in this call. */
type RefundCarriedOut = { refund: Refund; isNew: boolean };

/**
 * Makes an approved refund at Stripe and settles its payment. Repeated calls, by several processes or after a crash,
 * make one refund. Resolves to the refund's new state; throws `CheckoutUnreachable`.
 */
export async function carryOutRefund(
  ctx: Ctx,
  gateway: CheckoutGateway,
  id: string,
): Promise<RefundCarriedOut> {
  const found = await expectRefund(ctx, id);
  const { refund, payment } = found;
  if (refund.state !== "approved" || !payment.intentId) return { refund, isNew: false };
  const { isNew, ...outcome } = await requestRefund(ctx, gateway, found, payment.intentId);
  failpoint("refund.made-at-stripe");
  // another process may have asked at the same moment and got the same answer
  await commitIfFirst(ctx.store, [
    ctx.store.db
      .update(refunds)
      .set(outcome)
      .where(and(eq(refunds.id, id), eq(refunds.state, "approved"))),
    mustHaveChanged("conflict"),
    ...redrawCardOf(ctx, refund),
    logRefund(ctx, { actor: theShop, action: `payment.refund_${outcome.state}` }, found),
    ...(outcome.state === "refused"
      ? notifyStaff(ctx, found, outcome.refusal)
      : notifyMember(ctx, found, outcome.madeAt)),
  ]);
  await settle(ctx, gateway, payment.sessionId);
  return { refund: (await expectRefund(ctx, id)).refund, isNew };
}

type Outcome = { isNew: boolean } & (
  | { state: "made"; stripeId: string; madeAt: Date }
  | { state: "refused"; refusal: string; stripeId?: string; failedAt: Date }
);

async function requestRefund(
  ctx: Ctx,
  gateway: CheckoutGateway,
  { refund: { request, attempt, amount, keeps } }: RefundView,
  intentId: string,
): Promise<Outcome> {
  try {
    const held = await gateway.refund({ intentId, request, amount, attempt, keeps });
    const { id: stripeId, createdAt: madeAt, stands, isNew } = held;
    if (stands) return { state: "made", stripeId, madeAt, isNew };
    return { ...failedAtStripe(ctx, stripeId), isNew };
  } catch (error) {
    if (!(error instanceof CheckoutRefused)) throw error;
    return { state: "refused", refusal: error.message, failedAt: ctx.now(), isNew: true };
  }
}

function notifyStaff(ctx: Ctx, found: RefundView, refusal: string): Write[] {
  const sentence = `Stripe refused to refund ${refundInWords(found)}: ${refusal}`;
  return notice(ctx, `${found.payment.id}:refund ${found.refund.id}`, { kind: "refund refused", sentence });
}

/** Answers the member in the ticket whose card support proposed the refund on. */
function notifyMember(ctx: Ctx, { refund, payment }: RefundView, madeAt: Date): Write[] {
  if (!refund.ticketId) return [];
  const amount = money(refund.amount, payment.currency);
  const text = `We refunded ${amount} of your payment of ${utcDay(payment.paidAt ?? payment.createdAt)}. The money goes back to the payment method you used. It can take up to ten days from ${utcDay(madeAt)} to appear on your statement. If you need anything else, write here.`;
  return queueAnswerInThread(ctx, refund.ticketId, { what: `refund-${refund.id}`, text });
}
