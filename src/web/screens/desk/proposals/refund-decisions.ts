import { Check, X } from "lucide-react";
import type { RefundOutcome } from "@/contract/wire/desk/payment-operations";
import type { RefundRow } from "@/contract/wire/desk/rows";
import { money } from "@/contract/vocabulary/money";
import { writeDesk } from "../../../api/desk/call";
import type { StaffRole } from "../../../api/desk/session";
import type { Operation } from "../operation/operation";
import { allowed } from "../operation/rights";
import { actorName } from "../parts/actor";
import { refundOutcomeText } from "./outcome-text";

/** What an owner may decide about a proposed refund. */
export function refundDecisions(role: StaffRole, refund: RefundRow): Operation[] {
  if (refund.state !== "proposed") return [];
  const sum = money(refund.amount, refund.currency);
  const by = actorName(refund.proposed_by);
  const send = (verb: string, reason: string) =>
    writeDesk<RefundOutcome>(`refunds/${refund.id}/${verb}`, { reason });
  const approve: Operation<RefundOutcome> = {
    name: "Approve",
    icon: Check,
    consequence: () =>
      `Refunds ${sum}, as ${by} proposed: “${refund.reason}”. A full refund takes every license of the payment, and the role with the last one; of a subscription's current period, it ends the subscription and its license at once.`,
    run: (_, reason) => send("approve", reason),
    done: refundOutcomeText,
  };
  const decline: Operation<RefundOutcome> = {
    name: "Decline",
    icon: X,
    grave: true,
    consequence: () => `Refunds nothing: ${by}'s proposal of ${sum} ends, and the payment stays as it is.`,
    run: (_, reason) => send("decline", reason),
    done: refundOutcomeText,
  };
  return allowed<Operation>(role, [
    ["approve", approve],
    ["decline", decline],
  ]);
}
