import Stripe from "stripe";
import type { RefundHeld, RefundRequest } from "@/domain/payments/checkout/checkout";

/** The name in a refund's metadata. */
const tag = "refund";

/** The refund that carries the request; one that stands comes before one that failed. Reads every page. */
export async function refundOf(
  stripe: Stripe,
  { intentId, request, id }: RefundRequest,
): Promise<RefundHeld | null> {
  let failed: RefundHeld | null = null;
  for await (const refund of stripe.refunds.list({ payment_intent: intentId, limit: 100 })) {
    const written = refund.metadata?.[tag];
    if (written === undefined || (written !== request && written !== id)) continue;
    const held = heldOf(refund);
    if (held.stands) return held;
    failed ??= held;
  }
  return failed;
}

type Wanted = RefundRequest & { amount: number; attempt: number };

export async function refund(stripe: Stripe, wanted: Wanted): Promise<RefundHeld & { isNew: boolean }> {
  const known = await refundOf(stripe, wanted);
  if (known) return { ...known, isNew: false };
  return { ...heldOf(await create(stripe, wanted)), isNew: true };
}

/** A restored database has forgotten no more attempts of a day than this. */
const mostForgotten = 20;

/**
 * Stripe repeats what it answered under an idempotency key for a day, refusals too, so each attempt has a key of its
 * own. A restored database has forgotten attempts: a repeated refusal is theirs, and the next attempt is made.
 * https://docs.stripe.com/api/idempotent_requests
 */
async function create(
  stripe: Stripe,
  { intentId, request, amount, attempt }: Wanted,
  left = mostForgotten,
): Promise<Stripe.Refund> {
  try {
    return await stripe.refunds.create(
      { payment_intent: intentId, amount, metadata: { [tag]: request } },
      { idempotencyKey: `refund:${request}:${amount}:${attempt}` },
    );
  } catch (error) {
    if (left === 0 || !isRepeated(error)) throw error;
    return create(stripe, { intentId, request, id: null, amount, attempt: attempt + 1 }, left - 1);
  }
}

const isRepeated = (error: unknown) =>
  error instanceof Stripe.errors.StripeError && error.headers?.["idempotent-replayed"] === "true";

/** https://docs.stripe.com/api/refunds/object#refund_object-status */
const heldOf = ({ id, amount, created, status }: Stripe.Refund): RefundHeld => ({
  id,
  amount,
  createdAt: new Date(created * 1000),
  stands: status !== "failed" && status !== "canceled",
});
