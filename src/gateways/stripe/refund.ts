import Stripe from "stripe";
import type { RefundHeld, RefundRequest } from "@/domain/payments/checkout/checkout";

/** The key in a refund's metadata that holds the request. */
export const requestName = "refund";
/** The key that says that a refund ends nothing, so that also a restored database knows. */
export const keepsName = "keeps";

/** The refund made for the request, preferring a valid refund to a failed one. Reads every page. */
export async function refundOf(
  stripe: Stripe,
  { intentId, request }: RefundRequest,
): Promise<RefundHeld | null> {
  let failed: RefundHeld | null = null;
  for await (const refund of stripe.refunds.list({ payment_intent: intentId, limit: 100 })) {
    if (refund.metadata?.[requestName] !== request) continue;
    const held = heldOf(refund);
    if (held.stands) return held;
    failed ??= held;
  }
  return failed;
}

type Wanted = RefundRequest & { amount: number; attempt: number; keeps: boolean };

export async function refund(stripe: Stripe, wanted: Wanted): Promise<RefundHeld & { isNew: boolean }> {
  const known = await refundOf(stripe, wanted);
  if (known) return { ...known, isNew: false };
  return { ...heldOf(await create(stripe, wanted)), isNew: true };
}

/** The most attempts in a day that a restored database can lack. */
const mostForgotten = 20;

/**
 * For a day, Stripe repeats its answer under an idempotency key, refusals too, so each attempt has its own key. A
 * restored database lacks recent attempts: a repeated refusal was an answer to one of them, so this makes the next
 * attempt. https://docs.stripe.com/api/idempotent_requests
 */
async function create(
  stripe: Stripe,
  { intentId, request, amount, attempt, keeps }: Wanted,
  left = mostForgotten,
): Promise<Stripe.Refund> {
  try {
    return await stripe.refunds.create(
      {
        payment_intent: intentId,
        amount,
        metadata: { [requestName]: request, ...(keeps ? { [keepsName]: "yes" } : {}) },
      },
      { idempotencyKey: `refund:${request}:${amount}:${attempt}` },
    );
  } catch (error) {
    if (left === 0 || !isRepeated(error)) throw error;
    return create(stripe, { intentId, request, amount, keeps, attempt: attempt + 1 }, left - 1);
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
