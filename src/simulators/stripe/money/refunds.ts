import type Stripe from "stripe";
import { emit } from "../events";
import { type World, idOf, seconds } from "../world";

type Given = {
  amount: number;
  metadata: Stripe.Metadata;
  /** Without it, refunds to cards succeed at once, and those to bank accounts stay pending. */
  status?: "pending" | undefined;
};

/** How much of a charge can still be refunded. */
export function refundable(charge: Stripe.Charge): number {
  return charge.amount - charge.amount_refunded;
}

/** The caller has checked the amount against `refundable`. */
export function refund(world: World, charge: Stripe.Charge, given: Given): Stripe.Refund {
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
    reason: null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: given.status ?? usual,
    transfer_reversal: null,
  };
  world.ledger.put("refunds", made);
  const after = countRefunded(world, charge, charge.amount_refunded + given.amount);
  emit(world, "refund.created", made);
  emit(world, "charge.refunded", after);
  return made;
}

/** The amount of a refund that fails counts as not refunded again. */
export function moveRefund(world: World, made: Stripe.Refund, status: "succeeded" | "failed"): Stripe.Refund {
  const failed = status === "failed";
  const moved: Stripe.Refund = {
    ...made,
    status,
    ...(failed && { failure_reason: "expired_or_canceled_card" }),
  };
  world.ledger.put("refunds", moved);
  const charge = world.ledger.charges.get(idOf(made.charge) ?? "");
  if (charge && failed) countRefunded(world, charge, charge.amount_refunded - made.amount);
  emit(world, failed ? "refund.failed" : "refund.updated", moved);
  emit(world, "charge.refund.updated", moved);
  return moved;
}

/** Not failed. */
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
