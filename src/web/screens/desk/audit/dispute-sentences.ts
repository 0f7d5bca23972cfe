import type { AuditDetails } from "@/contract/wire/audit-events";

type Settled = Partial<AuditDetails<"payment.disputed">>;

/** What a bank does about a payment from which it has taken nothing. */
const inquiryMoves: Readonly<Record<string, (its: string) => string>> = {
  warning_needs_response: (its) => `${its} bank asks about the payment`,
  warning_under_review: (its) => `${its} bank has the evidence about the payment`,
  warning_closed: (its) => `${its} bank closed its inquiry`,
};

/** Undefined where the entry is not about an inquiry. */
export const inquiryTold = (its: string, { dispute, before }: Settled): string | undefined =>
  before?.state !== "succeeded" || !dispute || dispute === before.dispute
    ? undefined
    : inquiryMoves[dispute]?.(its);

const disputeMoves: Readonly<Record<string, (its: string) => string>> = {
  needs_response: (its) => `The dispute about ${its} payment needs an answer`,
  under_review: (its) => `The bank is deciding the dispute about ${its} payment`,
  lost: (its) => `The dispute about ${its} payment is lost`,
};

/** How a dispute that the log already has continues. */
export const disputeTold = (its: string, { dispute }: Settled): string =>
  disputeMoves[dispute ?? ""]?.(its) ?? `The dispute about ${its} payment continues`;
