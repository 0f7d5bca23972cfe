import { Check, X } from "lucide-react";
import {
  approveCorrection,
  approveRefund,
  declineCorrection,
  declineRefund,
} from "@/contract/operations/payments";
import { money } from "@/contract/vocabulary/money";
import type { CorrectionRow, RefundRow } from "@/contract/wire/desk/rows";
import { actorName } from "../parts/actor";
import { deskOperation } from "../operation/operation";
import type { OfferedOperations } from "../operation/use-allowed";
import { refundOutcomeText } from "./outcome-text";

type Change = Pick<CorrectionRow, "receiver" | "present_email" | "email">;

/** `the buyer's address from ada@exmaple.com to ada@example.com` */
export const changeInWords = ({ receiver, present_email, email }: Change) =>
  `the ${receiver ? "receiver" : "buyer"}'s address from ${present_email ?? "none"} to ${email}`;

/** `USD 9.99 to ada@example.com` */
export function refundInWords({ amount, currency, email, customer }: RefundRow): string {
  const whose = email ?? customer?.username;
  return `${money(amount, currency)}${whose ? ` to ${whose}` : ""}`;
}

export const isUndecided = ({ state }: { state: string }) => state === "proposed";

/** What owners may decide about a proposed address. */
export function correctionDecisions(correction: CorrectionRow): OfferedOperations {
  if (!isUndecided(correction)) return [];
  const by = actorName(correction.proposed_by);
  const approve = deskOperation(approveCorrection, {
    id: correction.id,
    name: "Approve",
    icon: Check,
    consequence: () =>
      `Changes ${changeInWords(correction)}, as ${by} proposed: “${correction.reason}”. The order is emailed there; unredeemed keys that went to the old address are replaced.`,
    done: () => "Address corrected",
  });
  const decline = deskOperation(declineCorrection, {
    id: correction.id,
    name: "Decline",
    icon: X,
    grave: true,
    consequence: () => `Declines ${by}'s proposal. The address stays as it is.`,
    done: () => "Proposal declined",
  });
  return [approve, decline];
}

/** What owners may decide about a proposed refund. */
export function refundDecisions(refund: RefundRow): OfferedOperations {
  if (!isUndecided(refund)) return [];
  const sum = money(refund.amount, refund.currency);
  const by = actorName(refund.proposed_by);
  const approve = deskOperation(approveRefund, {
    id: refund.id,
    name: "Approve",
    icon: Check,
    consequence: () =>
      `Refunds ${refundInWords(refund)}, as ${by} proposed: “${refund.reason}”. A full refund ends every license of the payment, and the role with the last one. For a subscription's current period, it ends the subscription and its license right away.`,
    done: refundOutcomeText,
  });
  const decline = deskOperation(declineRefund, {
    id: refund.id,
    name: "Decline",
    icon: X,
    grave: true,
    consequence: () => `Declines ${by}'s proposal of ${sum}. Nothing is refunded.`,
    done: () => `The refund of ${sum} is declined`,
  });
  return [approve, decline];
}
