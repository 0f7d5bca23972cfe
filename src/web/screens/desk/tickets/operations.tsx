import { CircleCheck, Hand, RotateCcw, Undo2 } from "lucide-react";
import { claimTicket, closeTicket, reopenTicket, unclaimTicket } from "@/contract/operations/tickets";
import type { TicketDetails } from "@/contract/wire/desk/details";
import { deskOperation } from "../operation/operation";
import type { OfferedOperations } from "../operation/use-allowed";

/** What staff may do to a ticket; the shop decides who has claimed it. */
export function ticketOperations(ticket: TicketDetails): OfferedOperations {
  const { id, number, name, status, claimed_by } = ticket;
  const isOpen = status === "open";

  const claim = deskOperation(claimTicket, {
    id,
    name: "Claim",
    icon: Hand,
    direct: true,
    consequence: () => `Shows everyone that #${number} is yours.`,
    done: () => `#${number} is yours`,
  });
  const unclaim = deskOperation(unclaimTicket, {
    id,
    name: "Unclaim",
    icon: Undo2,
    consequence: () => `Lets someone else take #${number}.`,
    done: () => `#${number} is unassigned`,
  });
  const close = deskOperation(closeTicket, {
    id,
    name: "Close ticket",
    icon: CircleCheck,
    consequence: () =>
      `Closes #${number}. ${name} sees the reason, can rate the answers, and can reopen the ticket for a week.`,
    done: () => `#${number} is closed`,
  });
  const reopen = deskOperation(reopenTicket, {
    id,
    name: "Reopen",
    icon: RotateCcw,
    consequence: () => `Reopens #${number} and tells ${name}.`,
    done: () => `#${number} is open again`,
  });
  return [
    isOpen && claimed_by === null && claim,
    isOpen && claimed_by !== null && unclaim,
    isOpen && close,
    !isOpen && reopen,
  ];
}
