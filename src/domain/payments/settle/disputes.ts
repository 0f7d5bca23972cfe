import type { PaymentStatus } from "../../schema/licences";
import type { Dispute, DisputeStatus } from "../checkout/checkout";

/**
 * What each dispute status does to the licence. An inquiry (`warning_*`) changes nothing, and an appeal is
 * an open dispute again.
 */
const effects = {
  lost: "revoked",
  appeal_needs_response: "disputed",
  appeal_under_review: "disputed",
  needs_response: "disputed",
  under_review: "disputed",
  won: "good",
  prevented: "good",
  warning_needs_response: "good",
  warning_under_review: "good",
  warning_closed: "good",
} as const satisfies Record<DisputeStatus, PaymentStatus>;

/** The gravest first: the gravest of several disputes decides. */
export const disputeStatuses = Object.keys(effects) as DisputeStatus[];

/** The payment status for a stored dispute status; `disputed` for a status that only a newer release knows. */
export function paymentStatusOf(status: string | null): "good" | "disputed" | "revoked" {
  if (status === null) return "good";
  const known = disputeStatuses.find((candidate) => candidate === status);
  return known ? effects[known] : "disputed";
}

/** Whether a dispute with this status has the money, rather than an inquiry or one that was won. */
export const hasMoney = (status: DisputeStatus): boolean => effects[status] !== "good";

/**
 * The payment status after all disputes of a payment, the dispute status that decides it, when the earliest dispute
 * that ends the licence did so, and the dispute to show staff: the one with the next deadline, or else the gravest.
 */
export function outcomeOfDisputes(disputes: Dispute[]) {
  const status =
    disputeStatuses.find((candidate) => disputes.some((one) => one.status === candidate)) ?? null;
  const taking = disputes.filter((one) => effects[one.status] !== "good").map(({ at }) => at.getTime());
  const [foremost] = disputes.toSorted(byUrgency);
  return {
    paymentStatus: paymentStatusOf(status),
    disputeStatus: status,
    disputedAt: taking.length > 0 ? new Date(Math.min(...taking)) : null,
    disputeReason: foremost?.reason ?? null,
    disputeAmount: foremost?.amount ?? null,
    disputeCurrency: foremost?.currency ?? null,
    disputeAnswerBy: foremost?.answerBy ?? null,
  };
}

const byUrgency = (one: Dispute, other: Dispute) =>
  answerTime(one) - answerTime(other) ||
  disputeStatuses.indexOf(one.status) - disputeStatuses.indexOf(other.status);
/** Finite, so that two without a date can be compared. */
const answerTime = ({ answerBy }: Dispute) => answerBy?.getTime() ?? Number.MAX_SAFE_INTEGER;
