import type Stripe from "stripe";
import { emit } from "../events";
import { type World, idOf, seconds } from "../world";
import { blankDispute } from "./blank-dispute";

export type DisputeStatus =
  | "warning_needs_response"
  | "warning_under_review"
  | "warning_closed"
  | "needs_response"
  | "under_review"
  | "won"
  | "lost";

/** The statuses that a dispute may move to from each: https://docs.stripe.com/disputes/how-disputes-work. */
const ways = {
  warning_needs_response: ["warning_under_review", "warning_closed", "needs_response"],
  warning_under_review: ["warning_closed", "needs_response"],
  warning_closed: [],
  needs_response: ["under_review", "won", "lost"],
  under_review: ["won", "lost"],
  won: ["lost"],
  lost: ["won"],
} satisfies Record<DisputeStatus, DisputeStatus[]>;
const waysByStatus = new Map<string, DisputeStatus[]>(Object.entries(ways));

const closed: ReadonlySet<string> = new Set(["won", "lost", "warning_closed"]);

export function isInquiry(status: string): boolean {
  return status.startsWith("warning_");
}

/** The statuses that this dispute may move to. */
export function waysOf(dispute: Stripe.Dispute): DisputeStatus[] {
  return waysByStatus.get(dispute.status) ?? [];
}

/** The disputes of a charge, newest first. */
export function disputes(world: World, charge: string): Stripe.Dispute[] {
  return world.ledger.disputes
    .newest()
    .filter((dispute) => dispute.charge === charge)
    .toArray();
}

/** The cardholder's bank opens a dispute, or, with a `warning_` status, an inquiry, which takes no money. */
export function openDispute(
  world: World,
  charge: Stripe.Charge,
  given: { status: "needs_response" | "warning_needs_response"; reason: string; amount?: number | undefined },
): Stripe.Dispute {
  const dispute = blankDispute({
    id: world.ids.next("du_1"),
    amount: given.amount ?? charge.amount - charge.amount_refunded,
    charge: charge.id,
    created: seconds(world),
    currency: charge.currency,
    is_charge_refundable: isInquiry(given.status),
    payment_intent: idOf(charge.payment_intent),
    reason: given.reason,
    status: given.status,
  });
  const disputed = { ...charge, disputed: true };
  world.ledger.put("disputes", dispute);
  world.ledger.put("charges", disputed);
  emit(world, "charge.dispute.created", dispute);
  if (!isInquiry(given.status)) emit(world, "charge.dispute.funds_withdrawn", dispute);
  emit(world, "charge.updated", disputed);
  return dispute;
}

/** The caller has checked `waysOf`. */
export function moveDispute(world: World, dispute: Stripe.Dispute, status: DisputeStatus): Stripe.Dispute {
  const moved: Stripe.Dispute = { ...dispute, status, is_charge_refundable: isInquiry(status) };
  world.ledger.put("disputes", moved);
  const escalated = isInquiry(dispute.status) && !isInquiry(status);
  const overturned = dispute.status === "won" && status === "lost";
  if (escalated || overturned) emit(world, "charge.dispute.funds_withdrawn", moved);
  if (status === "won") emit(world, "charge.dispute.funds_reinstated", moved);
  if (closed.has(status)) emit(world, "charge.dispute.closed", moved);
  else emit(world, "charge.dispute.updated", moved);
  return moved;
}

/** Adds evidence to the dispute and, with `submit`, sends it to the bank. */
export function addEvidence(
  world: World,
  dispute: Stripe.Dispute,
  given: { evidence: Partial<Stripe.Dispute.Evidence>; metadata: Stripe.Metadata; submit: boolean },
): Stripe.Dispute {
  const details = dispute.evidence_details;
  const kept: Stripe.Dispute = {
    ...dispute,
    evidence: { ...dispute.evidence, ...given.evidence },
    evidence_details: {
      ...details,
      has_evidence: details.has_evidence || Object.keys(given.evidence).length > 0,
      submission_count: details.submission_count + (given.submit ? 1 : 0),
      submission_method: given.submit ? "manual" : details.submission_method,
    },
    metadata: { ...dispute.metadata, ...given.metadata },
  };
  if (given.submit) return moveDispute(world, kept, afterEvidence(kept));
  world.ledger.put("disputes", kept);
  emit(world, "charge.dispute.updated", kept);
  return kept;
}

/** Stripe's test mode decides at once when the evidence says so: https://docs.stripe.com/testing#evidence. */
function afterEvidence({ status, evidence }: Stripe.Dispute): DisputeStatus {
  const inquiry = isInquiry(status);
  if (evidence.uncategorized_text === "winning_evidence") return inquiry ? "warning_closed" : "won";
  if (evidence.uncategorized_text === "losing_evidence") return inquiry ? "needs_response" : "lost";
  return inquiry ? "warning_under_review" : "under_review";
}

/** The card network suspects fraud; nothing is taken: https://docs.stripe.com/disputes/measuring#early-fraud-warnings. */
export function warn(world: World, charge: Stripe.Charge): Stripe.Radar.EarlyFraudWarning {
  const intent = idOf(charge.payment_intent);
  const warning: Stripe.Radar.EarlyFraudWarning = {
    id: world.ids.next("issfr_1"),
    object: "radar.early_fraud_warning",
    actionable: !charge.refunded && !charge.disputed,
    charge: charge.id,
    created: seconds(world),
    fraud_type: "made_with_stolen_card",
    livemode: false,
    ...(intent === null ? {} : { payment_intent: intent }),
  };
  world.ledger.put("warnings", warning);
  emit(world, "radar.early_fraud_warning.created", warning);
  return warning;
}
