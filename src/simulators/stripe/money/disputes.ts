import type Stripe from "stripe";
import { emit } from "../events";
import { type World, idOf, seconds } from "../world";

export const disputeStatuses = [
  "warning_needs_response",
  "warning_under_review",
  "warning_closed",
  "needs_response",
  "under_review",
  "won",
  "lost",
] as const;
export type DisputeStatus = (typeof disputeStatuses)[number];

/** The statuses that a dispute may move to from each: https://docs.stripe.com/disputes/how-disputes-work. */
const ways = new Map<string, DisputeStatus[]>([
  ["warning_needs_response", ["warning_under_review", "warning_closed", "needs_response"]],
  ["warning_under_review", ["warning_closed", "needs_response"]],
  ["needs_response", ["under_review", "won", "lost"]],
  ["under_review", ["won", "lost"]],
  ["won", ["lost"]],
  ["lost", ["won"]],
]);

const closed: ReadonlySet<string> = new Set(["won", "lost", "warning_closed"]);

export function isInquiry(status: string): boolean {
  return status.startsWith("warning_");
}

/** The statuses that this dispute may move to. */
export function waysOf(dispute: Stripe.Dispute): DisputeStatus[] {
  return ways.get(dispute.status) ?? [];
}

/** The disputes of a charge, newest first. */
export function disputes(world: World, charge: string): Stripe.Dispute[] {
  return world.ledger.disputes
    .newest()
    .filter((dispute) => dispute.charge === charge)
    .toArray();
}

/** How long there is to answer, in seconds. */
const twoWeeks = 14 * 24 * 60 * 60;

/** The cardholder's bank opens a dispute, or, with a `warning_` status, an inquiry, which takes no money. */
export function openDispute(
  world: World,
  charge: Stripe.Charge,
  status: "needs_response" | "warning_needs_response",
): Stripe.Dispute {
  const created = seconds(world);
  const dispute: Stripe.Dispute = {
    id: world.ids.next("du_1"),
    object: "dispute",
    amount: charge.amount - charge.amount_refunded,
    balance_transactions: [],
    charge: charge.id,
    created,
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: noEvidence,
    evidence_details: {
      due_by: created + twoWeeks,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: "not_submitted",
    },
    intended_submission_method: null,
    is_charge_refundable: isInquiry(status),
    livemode: false,
    metadata: {},
    network_reason_code: "10.4",
    payment_intent: idOf(charge.payment_intent),
    reason: "fraudulent",
    status,
  };
  const disputed = { ...charge, disputed: true };
  world.ledger.put("disputes", dispute);
  world.ledger.put("charges", disputed);
  emit(world, "charge.dispute.created", dispute);
  if (!isInquiry(status)) emit(world, "charge.dispute.funds_withdrawn", dispute);
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
  given: { evidence: Partial<Stripe.Dispute.Evidence>; submit: boolean },
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

/** All of Stripe's evidence fields, empty. A request may set only these. */
export const noEvidence: Stripe.Dispute.Evidence = {
  access_activity_log: null,
  billing_address: null,
  cancellation_policy: null,
  cancellation_policy_disclosure: null,
  cancellation_rebuttal: null,
  customer_communication: null,
  customer_email_address: null,
  customer_name: null,
  customer_purchase_ip: null,
  customer_signature: null,
  duplicate_charge_documentation: null,
  duplicate_charge_explanation: null,
  duplicate_charge_id: null,
  enhanced_evidence: {},
  product_description: null,
  receipt: null,
  refund_policy: null,
  refund_policy_disclosure: null,
  refund_refusal_explanation: null,
  service_date: null,
  service_documentation: null,
  shipping_address: null,
  shipping_carrier: null,
  shipping_date: null,
  shipping_documentation: null,
  shipping_tracking_number: null,
  uncategorized_file: null,
  uncategorized_text: null,
};
