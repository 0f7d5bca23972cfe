import { emit } from "../events";
import type { Charge, Dispute, Warning } from "../ledger";
import { type World, seconds } from "../world";
import { disputeFee, move } from "./balance";

export const disputeStatuses = [
  "warning_needs_response",
  "warning_under_review",
  "warning_closed",
  "needs_response",
  "under_review",
  "won",
  "lost",
  "appeal_needs_response",
  "appeal_under_review",
] as const;
export type DisputeStatus = (typeof disputeStatuses)[number];

/** The statuses to which a dispute may move from each status: https://docs.stripe.com/disputes/how-disputes-work. */
const ways = new Map<string, DisputeStatus[]>([
  ["warning_needs_response", ["warning_under_review", "warning_closed", "needs_response"]],
  ["warning_under_review", ["warning_closed", "needs_response"]],
  ["needs_response", ["under_review", "won", "lost"]],
  ["under_review", ["won", "lost"]],
  ["won", ["lost"]],
  ["lost", ["won", "appeal_needs_response"]],
  ["appeal_needs_response", ["appeal_under_review", "won", "lost"]],
  ["appeal_under_review", ["won", "lost"]],
]);

const closed: ReadonlySet<string> = new Set(["won", "lost", "warning_closed"]);

export function isInquiry(status: string): boolean {
  return status.startsWith("warning_");
}

/** The statuses to which this dispute may move. */
export function waysOf(dispute: Dispute): DisputeStatus[] {
  return ways.get(dispute.status) ?? [];
}

/** The disputes of a charge, newest first. */
export function disputes(world: World, charge: string): Dispute[] {
  return world.ledger.disputes.newest().filter((dispute) => dispute.charge === charge);
}

/** How long the shop has to answer, in seconds. */
const twoWeeks = 14 * 24 * 60 * 60;

/** The cardholder's bank opens a dispute or, with a `warning_` status, an inquiry, which takes no money. */
export function openDispute(
  world: World,
  charge: Charge,
  status: "needs_response" | "warning_needs_response",
): Dispute {
  const created = seconds(world);
  const id = world.ids.next("du_1");
  const amount = charge.amount - charge.amount_refunded;
  const about = { id, currency: charge.currency };
  const dispute = world.ledger.put("disputes", {
    id,
    object: "dispute",
    amount,
    balance_transactions: isInquiry(status) ? [] : [movement(world, about, -amount)],
    charge: charge.id,
    created,
    currency: charge.currency,
    evidence: {},
    evidence_details: {
      due_by: created + twoWeeks,
      has_evidence: false,
      past_due: false,
      submission_count: 0,
    },
    is_charge_refundable: isInquiry(status),
    livemode: false,
    payment_intent: charge.payment_intent,
    reason: "fraudulent",
    status,
  });
  const disputed = world.ledger.put("charges", { ...charge, disputed: true });
  emit(world, "charge.dispute.created", dispute);
  if (!isInquiry(status)) emit(world, "charge.dispute.funds_withdrawn", dispute);
  emit(world, "charge.updated", disputed);
  return dispute;
}

/** The caller must check `waysOf`. */
export function moveDispute(world: World, dispute: Dispute, status: DisputeStatus): Dispute {
  const escalated = isInquiry(dispute.status) && !isInquiry(status);
  const overturned = dispute.status === "won" && status === "lost";
  const amount = dispute.amount ?? 0;
  const movements = [
    ...(escalated || overturned ? [movement(world, dispute, -amount)] : []),
    ...(status === "won" ? [movement(world, dispute, amount)] : []),
  ];
  const balance_transactions = [...(dispute.balance_transactions ?? []), ...movements];
  const moved = world.ledger.put("disputes", {
    ...dispute,
    status,
    balance_transactions,
    is_charge_refundable: isInquiry(status) || status === "won",
  });
  if (escalated || overturned) emit(world, "charge.dispute.funds_withdrawn", moved);
  if (status === "won") emit(world, "charge.dispute.funds_reinstated", moved);
  if (closed.has(status)) emit(world, "charge.dispute.closed", moved);
  else emit(world, "charge.dispute.updated", moved);
  return moved;
}

/** The money that a dispute takes (negative) or gives back. */
const movement = (world: World, { id: source, currency }: Pick<Dispute, "id" | "currency">, amount: number) =>
  move(world, {
    amount,
    currency: currency ?? "usd",
    fee: amount < 0 ? disputeFee : 0,
    reporting_category: amount < 0 ? "dispute" : "dispute_reversal",
    source,
    type: "adjustment",
  });

/**
 * The card network suspects fraud, but takes nothing: https://docs.stripe.com/disputes/measuring#early-fraud-warnings.
 */
export function warn(world: World, charge: Charge): Warning {
  const intent = charge.payment_intent;
  const warning = world.ledger.put("warnings", {
    id: world.ids.next("issfr_1"),
    object: "radar.early_fraud_warning",
    actionable: !charge.refunded && !charge.disputed,
    charge: charge.id,
    created: seconds(world),
    fraud_type: "made_with_stolen_card",
    livemode: false,
    ...(intent === null ? {} : { payment_intent: intent }),
  });
  emit(world, "radar.early_fraud_warning.created", warning);
  return warning;
}
