import type { PaymentStanding } from "../licences/tables";
import type { DisputeStatus } from "./checkout";

/** What each dispute status does to the licence. An inquiry (`warning_*`) takes nothing. */
const effects = {
  lost: "revoked",
  needs_response: "disputed",
  under_review: "disputed",
  won: "good",
  prevented: "good",
  warning_needs_response: "good",
  warning_under_review: "good",
  warning_closed: "good",
} as const satisfies Record<DisputeStatus, PaymentStanding>;

/** The order in which one of several disputes speaks for all: the gravest first. */
const gravity = Object.keys(effects) as DisputeStatus[];

/** The standing that all disputes of a payment leave its licence with, and the status that decides it. */
export function disputeStanding(disputes: DisputeStatus[]): {
  status: DisputeStatus | null;
  standing: "good" | "disputed" | "revoked";
} {
  const status = gravity.find((candidate) => disputes.includes(candidate)) ?? null;
  return { status, standing: status ? effects[status] : "good" };
}
