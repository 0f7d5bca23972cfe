import Stripe from "stripe";
import type { RefundHeld, RefundRequest } from "@/domain/payments/port/stripe";
import { paymentsOfSameInvoice } from "./invoice-payments";

/** The key in a refund's metadata that holds the request. */
export const requestName = "refund";
/** The metadata key of a refund that ends nothing, so that a restored database knows, too. */
export const keepsName = "keeps";

/** The refund made for the request, as a sum if it was made in parts. A failed one only if no other was made. */
export async function refundOf(
  stripe: Stripe,
  { intentId, request }: RefundRequest,
): Promise<RefundHeld | null> {
  return together(await madeFor(stripe, await payersOf(stripe, intentId), request));
}

type RefundOrder = RefundRequest & { amount: number; attempt: number; keeps: boolean };

export async function refund(stripe: Stripe, wanted: RefundOrder): Promise<RefundHeld & { isNew: boolean }> {
  const payers = await payersOf(stripe, wanted.intentId);
  const made = await madeFor(stripe, payers, wanted.request);
  const known = together(made);
  // the shop may have been stopped before it refunded all payments
  const isCut = payers.length > 1 && known?.stands === true && known.amount < wanted.amount;
  if (known && !isCut) return { ...known, isNew: false };
  for (const share of sharesOf(payers, wanted.amount - (known?.amount ?? 0)))
    made.push(heldOf(await create(stripe, { ...wanted, ...share })));
  const held = together(made);
  if (!held) throw new Error("nothing was refunded");
  return { ...held, isNew: true };
}

/** A payment, and what of it can still be refunded. */
type Payer = { intentId: string; left: number };

/** The intents that together paid the same invoice as this one; this one alone, if there were no others. */
async function payersOf(stripe: Stripe, intentId: string): Promise<Payer[]> {
  const paid = await paymentsOfSameInvoice(stripe, intentId);
  if (paid.length < 2) return [{ intentId, left: Infinity }];
  return paid.map(({ id, latest_charge: charge }) => ({
    intentId: id,
    left: charge && typeof charge !== "string" ? charge.amount - charge.amount_refunded : 0,
  }));
}

/** How much of each is refunded. What exceeds them all is left to the last, for Stripe to refuse. */
function sharesOf(payers: Payer[], amount: number) {
  let rest = amount;
  return payers.flatMap(({ intentId, left }, index) => {
    const share = index === payers.length - 1 ? rest : Math.min(left, rest);
    rest -= share;
    return share > 0 ? [{ intentId, amount: share }] : [];
  });
}

/** Reads every page. */
async function madeFor(stripe: Stripe, payers: Payer[], request: string): Promise<RefundHeld[]> {
  const made: RefundHeld[] = [];
  for (const { intentId } of payers)
    for await (const one of stripe.refunds.list({ payment_intent: intentId, limit: 100 }))
      if (one.metadata?.[requestName] === request) made.push(heldOf(one));
  return made;
}

function together(made: RefundHeld[]): RefundHeld | null {
  const [one = made[0], ...others] = made.filter(({ stands }) => stands);
  return one ? { ...one, amount: others.reduce((sum, { amount }) => sum + amount, one.amount) } : null;
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
  { intentId, request, amount, attempt, keeps }: RefundOrder,
  left = mostForgotten,
): Promise<Stripe.Refund> {
  try {
    return await stripe.refunds.create(
      {
        payment_intent: intentId,
        amount,
        metadata: { [requestName]: request, ...(keeps ? { [keepsName]: "yes" } : {}) },
      },
      { idempotencyKey: `refund:${request}:${intentId}:${amount}:${attempt}` },
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
