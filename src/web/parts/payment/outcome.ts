import { texts } from "@/contract/vocabulary/texts";
import type { PaymentAnswer } from "../../api/payments";

export type Outcome = "verified" | "failed" | "pending" | "disputed" | "refunded" | "unknown";

/** The page's title: the answer's headline on success, else the payment's status. */
export function titleOf(answer: PaymentAnswer | undefined): string {
  if (!answer?.data?.status) return texts.statusUnavailable;
  return answer.data.status === "Payment Successful" ? answer.status_message : answer.data.status;
}

/** The title is free text; the icon depends on these words in it. */
export function resultOutcome(title: string): Outcome {
  if (title.includes("Verified")) return "verified";
  if (title.includes("Failed") || title.includes("Canceled")) return "failed";
  if (title.includes("Pending")) return "pending";
  return title.includes("Disputed") ? "disputed" : "unknown";
}

/** The specification's icons leave a refund unknown; the account's own page knows it. */
export const ownOutcome = (title: string): Outcome =>
  title.includes("Refunded") ? "refunded" : resultOutcome(title);
