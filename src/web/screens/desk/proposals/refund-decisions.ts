import { Check, X } from "lucide-react";
import { approveRefund, declineRefund } from "@/contract/operations/payments";
import type { RefundRow } from "@/contract/wire/desk/rows";
import { money } from "@/contract/vocabulary/money";
import type { DeskMe } from "@/contract/wire/desk/staff";
import { allowed, deskOperation, type Operation } from "../operation/operation";
import { actorName } from "../parts/actor";
import { refundOutcomeText } from "./outcome-text";

/** What an owner may decide about a proposed refund. */
export function refundDecisions(me: DeskMe, refund: RefundRow): Operation[] {
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
  return allowed(me, [approve, decline]);
}
