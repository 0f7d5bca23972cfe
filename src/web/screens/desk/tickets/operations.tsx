import { CircleCheck, Hand, RotateCcw, Undo2 } from "lucide-react";
import { claimTicket, closeTicket, reopenTicket, unclaimTicket } from "@/contract/operations/tickets";
import type { TicketDetails } from "@/contract/wire/desk/details";
import type { DeskMe } from "@/contract/wire/desk/staff";
import { reopenDays } from "@/contract/vocabulary/bounds";
import { day } from "@/contract/vocabulary/time";
import { deskOperation } from "../operation/operation";
import type { OfferedOperations } from "../operation/use-allowed";

/** What a member of staff may do to a ticket. */
export function ticketOperations(me: DeskMe, ticket: TicketDetails): OfferedOperations {
  const { id, number, name, status, claimed_by, closed_at } = ticket;
  const isOpen = status === "open";
  // only the shop knows whose Discord user claimed it
  const mayBeMine = claimed_by === me.id || claimed_by?.startsWith("discord:") === true;
  const isReopenable = closed_at !== null && Date.now() < Date.parse(closed_at) + reopenDays * day;

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
    isOpen && claimed_by !== null && (mayBeMine || me.role === "owner") && unclaim,
    isOpen && close,
    !isOpen && isReopenable && reopen,
  ];
}
