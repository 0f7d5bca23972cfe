import type Stripe from "stripe";
import { emit } from "../events";
import type { Charge, Refund } from "../ledger";
import { type World, seconds } from "../world";
import { move } from "./balance";
import { disputes, moveDispute, waysOf } from "./disputes";

type Given = {
  amount: number;
  metadata: Stripe.Metadata;
  /** By default, refunds to cards succeed at once, and those to bank accounts stay pending. */
  status?: "pending" | undefined;
};

/** How much of a charge can still be refunded. */
export function refundable(charge: Charge): number {
  return charge.amount - charge.amount_refunded;
}

/** The caller must check the amount against `refundable`. */
export function refund(world: World, charge: Charge, given: Given): Refund {
  const usual = charge.payment_method_details?.type === "card" ? "succeeded" : "pending";
  const id = world.ids.next("re_3");
  const moved = move(world, {
    amount: -given.amount,
    currency: charge.currency,
    reporting_category: "refund",
    source: id,
    type: charge.payment_method_details?.type === "card" ? "refund" : "payment_refund",
  });
  const made = world.ledger.put("refunds", {
    id,
    object: "refund",
    amount: given.amount,
    balance_transaction: moved.id,
    charge: charge.id,
    created: seconds(world),
    currency: charge.currency,
    metadata: given.metadata,
    payment_intent: charge.payment_intent,
    status: given.status ?? usual,
  });
  const after = countRefunded(world, charge, charge.amount_refunded + given.amount);
  emit(world, "refund.created", made);
  emit(world, "charge.refunded", after);
  if (after.refunded) settleInquiry(world, charge.id);
  return made;
}

/** Nothing is left to ask about: https://docs.stripe.com/disputes/how-disputes-work */
function settleInquiry(world: World, charge: string): void {
  for (const dispute of disputes(world, charge))
    if (waysOf(dispute).includes("warning_closed")) moveDispute(world, dispute, "warning_closed");
}

/** A failed refund's amount counts as not refunded again. */
export function moveRefund(world: World, made: Refund, status: "succeeded" | "failed"): Refund {
  const failed = status === "failed";
  const moved = world.ledger.put("refunds", {
    ...made,
    status,
    ...(failed && { failure_reason: "expired_or_canceled_card" }),
  });
  const charge = world.ledger.charges.get(made.charge ?? "");
  if (charge && failed) {
    countRefunded(world, charge, charge.amount_refunded - made.amount);
    move(world, {
      amount: made.amount,
      currency: charge.currency,
      reporting_category: "refund_failure",
      source: made.id,
      type: "refund_failure",
    });
  }
  emit(world, failed ? "refund.failed" : "refund.updated", moved);
  emit(world, "charge.refund.updated", moved);
  return moved;
}

/** Whether the refund has not failed. */
export function hasNotFailed(made: Refund): boolean {
  return made.status === "pending" || made.status === "succeeded";
}

/** The refunds of a charge, newest first. */
export function refundsOf(world: World, charge: string): Refund[] {
  return world.ledger.refunds.newest().filter((made) => made.charge === charge);
}

function countRefunded(world: World, charge: Charge, amount: number): Charge {
  return world.ledger.put("charges", {
    ...charge,
    amount_refunded: amount,
    refunded: amount >= charge.amount,
  });
}
