import { Check, X } from "lucide-react";
import { approveRefund, declineRefund } from "@/contract/operations/payments";
import type { RefundRow } from "@/contract/wire/desk/rows";
import { money } from "@/contract/vocabulary/money";
import { deskOperation } from "../operation/operation";
import type { Offered } from "../operation/use-allowed";
import { actorName } from "../parts/actor";
import { refundOutcomeText } from "./outcome-text";

/** What owners may decide about a proposed refund. */
export function refundDecisions(refund: RefundRow): Offered {
  if (refund.state !== "proposed") return [];
  const sum = money(refund.amount, refund.currency);
  const by = actorName(refund.proposed_by);
  const approve = deskOperation(approveRefund, {
    id: refund.id,
    name: "Approve",
    icon: Check,
    consequence: () =>
      `Refunds ${sum}, as ${by} proposed: “${refund.reason}”. A full refund takes every license of the payment, and the role with the last one; of a subscription's current period, it ends the subscription and its license at once.`,
    done: refundOutcomeText,
  });
  const decline = deskOperation(declineRefund, {
    id: refund.id,
    name: "Decline",
    icon: X,
    grave: true,
    consequence: () => `Refunds nothing: ${by}'s proposal of ${sum} ends, and the payment stays as it is.`,
    done: () => `The refund of ${sum} is declined`,
  });
  return [approve, decline];
}
