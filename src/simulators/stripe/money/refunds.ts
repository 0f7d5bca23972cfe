import type Stripe from "stripe";
import { emit } from "../events";
import { type World, idOf, seconds } from "../world";

export type RefundStatus = "pending" | "succeeded" | "failed" | "canceled";

type Given = {
  amount: number;
  reason: string | null;
  metadata: Stripe.Metadata;
  status?: RefundStatus | undefined;
};

/** How much of a charge can still be refunded. */
export function refundable(charge: Stripe.Charge): number {
  return charge.amount - charge.amount_refunded;
}

/** The caller has checked the amount against `refundable`. */
export function refund(world: World, charge: Stripe.Charge, given: Given): Stripe.Refund {
  // refunds to cards succeed at once, those to bank accounts stay pending
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

/** The amount of a refund that fails or is canceled counts as not refunded again. */
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

/** Neither failed nor canceled. */
export function stands(made: Stripe.Refund): boolean {
  return made.status === "pending" || made.status === "succeeded";
}

/** The refunds of a charge, newest first. */
export function refundsOf(world: World, charge: string): Stripe.Refund[] {
  return world.ledger.refunds
    .newest()
    .filter((made) => made.charge === charge)
    .toArray();
}

function countRefunded(world: World, charge: Stripe.Charge, amount: number): Stripe.Charge {
  const counted = { ...charge, amount_refunded: amount, refunded: amount >= charge.amount };
  world.ledger.put("charges", counted);
  return counted;
}
