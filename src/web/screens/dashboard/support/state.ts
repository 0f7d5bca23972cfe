import { CircleCheck, Clock, type LucideIcon, MessageCircle } from "lucide-react";
import { ownWords, type StateWords, ticketWords, turnWords } from "@/contract/vocabulary/state-words";
import type { TicketSummary } from "@/contract/wire/tickets";

type State = { icon: LucideIcon; of: StateWords };

/** Whose turn it is, in words. */
export function ticketState({ state, waiting_for }: Pick<TicketSummary, "state" | "waiting_for">): State {
  if (state === "closed") return { icon: CircleCheck, of: ticketWords.closed };
  return waiting_for === "member"
    ? { icon: MessageCircle, of: ownWords(turnWords.customer) }
    : { icon: Clock, of: ownWords(turnWords.staff) };
}

/** Where a ticket's page is. */
export const ticketPath = (id: string) => `/dashboard/ticket?id=${encodeURIComponent(id)}`;
export const newTicketPath = "/dashboard/tickets?new";
