import type Stripe from "stripe";
import { emit } from "../events";
import { type World, idOf, seconds } from "../world";

export type RefundStatus = "pending" | "succeeded" | "failed" | "canceled";

type Given = { amount: number; reason: string | null; metadata: Stripe.Metadata; status?: RefundStatus };

/** What may still be given back of a charge. */
export function refundable(charge: Stripe.Charge): number {
  return charge.amount - charge.amount_refunded;
}

/** Gives money back; the caller has checked the amount against `refundable`. */
export function refund(world: World, charge: Stripe.Charge, given: Given): Stripe.Refund {
  // Cards give back at once; bank debits take their time.
  const usual = charge.payment_method_details?.type === "card" ? "succeeded" : "pending";
  const made: Stripe.Refund = {
    id: world.ids.next("re_3"),
    object: "refund",
    amount: given.amount,
    balance_transaction: null,
    charge: charge.id,
    created: seconds(world),
    currency: charge.currency,
    customer: null,
    customer_account: null,
    metadata: given.metadata,
    payment_intent: idOf(charge.payment_intent),
    payment_method: charge.payment_method,
    reason: given.reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status: given.status === "failed" ? "pending" : (given.status ?? usual),
    transfer_reversal: null,
  };
  world.ledger.put("refunds", made);
  const after = countRefunded(world, charge, charge.amount_refunded + given.amount);
  emit(world, "refund.created", made);
  emit(world, "charge.refunded", after);
  return given.status === "failed" ? moveRefund(world, made, "failed") : made;
}

/** A refund that fails or is canceled gives its amount back to the charge. */
export function moveRefund(world: World, made: Stripe.Refund, status: RefundStatus): Stripe.Refund {
  const undone = status === "failed" || status === "canceled";
  const moved: Stripe.Refund = {
    ...made,
    status,
    ...(status === "failed" ? { failure_reason: "expired_or_canceled_card" } : {}),
  };
  world.ledger.put("refunds", moved);
  const charge = world.ledger.charges.get(idOf(made.charge) ?? "");
  if (charge && undone) countRefunded(world, charge, charge.amount_refunded - made.amount);
  if (status === "failed") emit(world, "refund.failed", moved);
  else emit(world, "refund.updated", moved);
  emit(world, "charge.refund.updated", moved);
  return moved;
}

/** A refund still to be undone: neither failed nor canceled yet. */
export function stands(made: Stripe.Refund): boolean {
  return made.status === "pending" || made.status === "succeeded";
}

function countRefunded(world: World, charge: Stripe.Charge, amount: number): Stripe.Charge {
  const counted = { ...charge, amount_refunded: amount, refunded: amount >= charge.amount };
  world.ledger.put("charges", counted);
  return counted;
}
