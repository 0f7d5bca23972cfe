import { CircleCheck, Hand, RotateCcw, Undo2 } from "lucide-react";
import type { TicketDetails } from "@/contract/wire/desk/details";
import { writeDesk } from "../../../api/desk/call";
import type { StaffRole } from "../../../api/desk/session";
import type { Operation } from "../operation/operation";
import { allowed } from "../operation/rights";

/** What this role may do to a ticket; the shop decides who has claimed it. */
export function ticketOperations(role: StaffRole, ticket: TicketDetails): Operation[] {
  const { id, number, name, status, claimed_by } = ticket;
  const send = (verb: string, reason: string) => writeDesk(`tickets/${id}/${verb}`, { reason });
  const isOpen = status === "open";

  const claim: Operation = {
    name: "Claim",
    icon: Hand,
    consequence: () => `Shows everybody that #${number} is yours.`,
    run: (_, reason) => send("claim", reason),
    done: () => `#${number} is yours`,
  };
  const unclaim: Operation = {
    name: "Give back",
    icon: Undo2,
    consequence: () => `Lets somebody else take #${number}.`,
    run: (_, reason) => send("unclaim", reason),
    done: () => `#${number} is nobody's`,
  };
  const close: Operation = {
    name: "Close ticket",
    icon: CircleCheck,
    consequence: () =>
      `Closes #${number}. ${name} reads the reason, can rate the answers, and can open it again for a week.`,
    run: (_, reason) => send("close", reason),
    done: () => `#${number} is closed`,
  };
  const reopen: Operation = {
    name: "Reopen",
    icon: RotateCcw,
    consequence: () => `Opens #${number} again and tells ${name}.`,
    run: (_, reason) => send("reopen", reason),
    done: () => `#${number} is open again`,
  };
  return allowed<Operation>(role, [
    ["claim", isOpen && claimed_by === null ? claim : null],
    ["unclaim", isOpen && claimed_by !== null ? unclaim : null],
    ["close", isOpen ? close : null],
    ["reopen", isOpen ? null : reopen],
  ]);
}
