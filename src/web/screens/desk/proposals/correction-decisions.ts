import { Check, X } from "lucide-react";
import type { CorrectionRow } from "@/contract/wire/desk/rows";
import { writeDesk } from "../../../api/desk/call";
import type { StaffRole } from "../../../api/desk/session";
import { actorName } from "../parts/actor";
import type { Operation } from "../operation/operation";
import { allowed } from "../operation/rights";

type Change = Pick<CorrectionRow, "receiver" | "present_email" | "email">;

/** `the buyer's address from ada@exmaple.com to ada@example.com` */
export const changeInWords = ({ receiver, present_email, email }: Change) =>
  `the ${receiver ? "receiver" : "buyer"}'s address from ${present_email ?? "none"} to ${email}`;

/** What an owner may decide about a proposed address. */
export function correctionDecisions(role: StaffRole, correction: CorrectionRow): Operation[] {
  if (correction.state !== "proposed") return [];
  const by = actorName(correction.proposed_by);
  const send = (verb: string, reason: string) =>
    writeDesk(`corrections/${correction.id}/${verb}`, { reason });
  const approve: Operation = {
    name: "Approve",
    icon: Check,
    consequence: () =>
      `Changes ${changeInWords(correction)}, as ${by} proposed: “${correction.reason}”. What was bought is mailed there; unredeemed keys that went to the old address are replaced.`,
    run: (_, reason) => send("approve", reason),
    done: () => "The address is corrected",
  };
  const decline: Operation = {
    name: "Decline",
    icon: X,
    grave: true,
    consequence: () => `Changes nothing: ${by}'s proposal ends, and the address stays as it is.`,
    run: (_, reason) => send("decline", reason),
    done: () => "The address stays as it is",
  };
  return allowed(role, [
    ["approve", approve],
    ["decline", decline],
  ]);
}
