import { Check, X } from "lucide-react";
import { approveCorrection, declineCorrection } from "@/contract/operations/payments";
import type { CorrectionRow } from "@/contract/wire/desk/rows";
import { actorName } from "../parts/actor";
import { deskOperation } from "../operation/operation";
import type { Offered } from "../operation/use-allowed";

type Change = Pick<CorrectionRow, "receiver" | "present_email" | "email">;

/** `the buyer's address from ada@exmaple.com to ada@example.com` */
export const changeInWords = ({ receiver, present_email, email }: Change) =>
  `the ${receiver ? "receiver" : "buyer"}'s address from ${present_email ?? "none"} to ${email}`;

/** What owners may decide about a proposed address. */
export function correctionDecisions(correction: CorrectionRow): Offered {
  if (correction.state !== "proposed") return [];
  const by = actorName(correction.proposed_by);
  const approve = deskOperation(approveCorrection, {
    id: correction.id,
    name: "Approve",
    icon: Check,
    consequence: () =>
      `Changes ${changeInWords(correction)}, as ${by} proposed: “${correction.reason}”. What was bought is mailed there; unredeemed keys that went to the old address are replaced.`,
    done: () => "The address is corrected",
  });
  const decline = deskOperation(declineCorrection, {
    id: correction.id,
    name: "Decline",
    icon: X,
    grave: true,
    consequence: () => `Changes nothing: ${by}'s proposal ends, and the address stays as it is.`,
    done: () => "The address stays as it is",
  });
  return [approve, decline];
}
