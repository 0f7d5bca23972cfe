import type { PaymentStanding } from "../schema/licences";
import type { Charge, CheckoutFacts, DisputeStatus } from "./checkout";
import { disputeStanding } from "./disputes";
import type { PaymentState } from "../schema/payments";

/** What was asked for when the session was created, and whether it ever gave a licence. */
export type Asked = { id: string; amount: number; currency: string; livemode: boolean; sold: boolean };

/** What Stripe holds, with what it did not tell filled in from what we hold. */
export type KnownFacts = Omit<CheckoutFacts, "charge" | "disputes"> & {
  charge: Charge | null;
  disputes: DisputeStatus[];
};

export type Decision = {
  state: PaymentState;
  failureReason: string | null;
  /** What the licence's standing is, or null when nothing was paid and there is none. */
  standing: PaymentStanding | null;
  disputeStatus: string | null;
  refundedAmount: number;
  /** Which of the facts differ from what was asked for; nothing is sold then. */
  mismatch: string | null;
};

/**
 * The one rule of settling: what a payment and its licence are, from what Stripe holds now. It knows
 * nothing of events, so their order, repetition and loss can't matter.
 */
export function decide(facts: KnownFacts, asked: Asked): Decision {
  const { status: disputeStatus, standing: disputed } = disputeStanding(facts.disputes);
  const settled = {
    disputeStatus,
    refundedAmount: facts.charge?.amountRefunded ?? 0,
    failureReason: null,
    standing: null,
    mismatch: null,
  };
  // what is edited at Stripe after the sale takes nothing back; only refunds and disputes do
  if (asked.sold) return { ...settled, ...paid(disputed, facts.charge?.refunded ?? false) };
  if (facts.status === "open") return { ...settled, state: "open" };
  if (facts.status === "expired") {
    return { ...settled, state: "expired", failureReason: "The checkout expired before it was paid." };
  }
  if (!facts.paid) return { ...settled, ...unpaid(facts) };
  const mismatch = differences(facts, asked);
  if (mismatch) {
    const failureReason = "The payment does not match the order.";
    return { ...settled, state: "failed", failureReason, mismatch };
  }
  return { ...settled, ...paid(disputed, facts.charge?.refunded ?? false) };
}

/** A completed checkout without money: a delayed method that is under way, or one that failed. */
function unpaid(facts: KnownFacts): Pick<Decision, "state" | "failureReason"> {
  if (facts.intent?.processing) {
    return { state: "processing", failureReason: "The payment is still being processed." };
  }
  return { state: "failed", failureReason: facts.intent?.failure ?? "The payment failed." };
}

function paid(
  disputed: "good" | "disputed" | "revoked",
  refunded: boolean,
): Pick<Decision, "state" | "failureReason" | "standing"> {
  if (disputed === "revoked") {
    return { state: "disputed", failureReason: "The payment was disputed and lost.", standing: "revoked" };
  }
  if (disputed === "disputed") {
    return { state: "disputed", failureReason: "The payment is disputed.", standing: "disputed" };
  }
  if (refunded) {
    return { state: "refunded", failureReason: "The payment was refunded.", standing: "refunded" };
  }
  return { state: "succeeded", failureReason: null, standing: "good" };
}

function differences(facts: KnownFacts, asked: Asked): string | null {
  const { order, intent } = facts;
  const wrong = {
    amount: facts.amount !== asked.amount,
    currency: facts.currency !== asked.currency,
    livemode: facts.livemode !== asked.livemode,
    order: order?.id !== asked.id || order.amount !== asked.amount || order.currency !== asked.currency,
    money: intent?.received !== asked.amount,
  };
  const names = Object.entries(wrong).flatMap(([name, differs]) => (differs ? [name] : []));
  return names.length > 0 ? names.join(", ") : null;
}
