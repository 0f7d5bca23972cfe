import { CircleCheck, Clock, type LucideIcon, MessageCircle } from "lucide-react";
import type { TicketSummary } from "@/contract/wire/tickets";
import type { BadgeVariant } from "../../../ui/badge";

type State = { icon: LucideIcon; variant: BadgeVariant; words: string };

/** Whose turn it is, in words. */
export function stateOf({ state, waiting_for }: Pick<TicketSummary, "state" | "waiting_for">): State {
  if (state === "closed") return { icon: CircleCheck, variant: "secondary", words: "Closed" };
  if (waiting_for === "member") return { icon: MessageCircle, variant: "success", words: "Answer for you" };
  return { icon: Clock, variant: "info", words: "Waiting for support" };
}

/** Where a ticket's page is. */
export const ticketPath = (id: string) => `/dashboard/ticket?id=${encodeURIComponent(id)}`;
export const newTicketPath = "/dashboard/tickets?new";
