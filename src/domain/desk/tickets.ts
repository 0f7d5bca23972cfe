import { and, eq, getTableColumns, inArray } from "drizzle-orm";
import type { DeskFilters } from "@/contract/desk/lists";
import type { TicketRow } from "@/contract/desk/rows";
import type { Ctx } from "@/core/context";
import { accounts } from "../schema/accounts";
import { tickets } from "../schema/tickets";
import { isOpen, type Ticket } from "../tickets/queries";
import { topicName } from "../tickets/topics";
import { inOrder, type Which } from "./newest";
import { customerOf } from "./payments";

export const ticketList = { at: tickets.openedAt, id: tickets.id };

/** The tickets that meet a filter. */
export function ticketsWith(_: Ctx, { status, waiting_for: whom }: DeskFilters<"tickets">): Which {
  // nobody waits for anything in a closed ticket
  if (status === "closed" && whom) return { conditions: [] };
  const waits = eq(tickets.waitingFor, whom === "customer" ? "member" : "staff");
  return { conditions: [whom ? and(isOpen, waits) : status && eq(tickets.state, status)] };
}

/** Tickets as the desk shows them, in the order of their ids. */
export async function ticketRows(ctx: Ctx, ids: string[]): Promise<TicketRow[]> {
  if (ids.length === 0) return [];
  const rows = await ctx.store.db
    .select({ ...getTableColumns(tickets), username: accounts.username })
    .from(tickets)
    .leftJoin(accounts, eq(accounts.id, tickets.accountId))
    .where(inArray(tickets.id, ids));
  return inOrder(ids, rows).map(ticketRow);
}

const ticketRow = (ticket: Ticket & { username: string | null }): TicketRow => ({
  id: ticket.id,
  number: ticket.number,
  topic: topicName(ticket.topic),
  status: ticket.state,
  waiting_for: waitingForOf(ticket),
  customer: customerOf(ticket),
  opened_at: ticket.openedAt.toISOString(),
  closed_at: ticket.closedAt?.toISOString() ?? null,
});

function waitingForOf({ state, waitingFor }: Ticket): TicketRow["waiting_for"] {
  if (state === "closed") return null;
  return waitingFor === "member" ? "customer" : waitingFor;
}
