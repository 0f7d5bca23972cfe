import { toWire } from "@/contract/wire/to-wire";
import { and, eq, getTableColumns, inArray, sql } from "drizzle-orm";
import type { DeskFilters } from "@/contract/wire/desk/lists";
import { ticketRow, type TicketRow } from "@/contract/wire/desk/rows";
import type { Ctx } from "@/core/database/context";
import { accounts } from "../schema/accounts";
import { tickets } from "../schema/tickets";
import { claimersOf } from "../tickets/writing/claims";
import { isOpen, type Ticket } from "../tickets/reading/queries";
import { topicName } from "../tickets/reading/topics";
import { type ActorNames, namesOf, staffNamed, storedActorId } from "./actors";
import { inOrderOfIds, type RowFilter } from "./newest";
import { customerOf } from "./payments";

export const ticketList = { at: tickets.openedAt, id: tickets.id };

export async function ticketsWith(ctx: Ctx, filters: DeskFilters<"tickets">): Promise<RowFilter> {
  const { status, waiting_for: whom, claimed_by: claimer } = filters;
  // in a closed ticket nobody waits
  if (status === "closed" && whom) return { conditions: [] };
  const waiting = whom && (whom === "customer" ? "member" : "staff");
  if (claimer)
    return claimedBy(await claimersNamed(ctx, claimer), { status: whom ? "open" : status, waiting });
  const waits = waiting && and(isOpen, eq(tickets.waitingFor, waiting));
  return { conditions: [waits ?? (status && eq(tickets.state, status))] };
}

type ClaimFilter = { status: Ticket["state"] | undefined; waiting: Ticket["waitingFor"] | undefined };

/** Tickets that one of these actors claimed: a condition for each of them and each state, as the index has them. */
function claimedBy(claimers: string[], { status, waiting }: ClaimFilter): RowFilter {
  const states: Ticket["state"][] = status ? [status] : ["open", "closed"];
  return {
    conditions: claimers.flatMap((claimer) =>
      states.map((state) =>
        and(
          eq(tickets.claimedBy, claimer),
          eq(tickets.state, state),
          waiting && sql`+${tickets.waitingFor} = ${waiting}`,
        ),
      ),
    ),
  };
}

/** The values that `claimed_by` may have for an actor; staff may also have claimed as the Discord user they linked. */
async function claimersNamed(ctx: Ctx, actor: string): Promise<string[]> {
  const discordUser = /^discord:(.+)$/.exec(actor)?.[1];
  return discordUser ? [discordUser] : claimersOf(ctx, actor);
}

/** Tickets as the desk shows them, in the order of their ids. */
export async function ticketRows(ctx: Ctx, ids: string[]): Promise<TicketRow[]> {
  if (ids.length === 0) return [];
  const rows = await ctx.store.db
    .select({ ...getTableColumns(tickets), username: accounts.username })
    .from(tickets)
    .leftJoin(accounts, eq(accounts.id, tickets.accountId))
    .where(inArray(tickets.id, ids));
  const names = await namesOf(
    ctx,
    rows.flatMap(({ claimedBy }) => (claimedBy === null ? [] : [storedActorId(claimedBy)])),
  );
  return inOrderOfIds(ids, rows).map((row) => wireTicket(row, names));
}

const wireTicket = (ticket: Ticket & { username: string | null }, names: ActorNames): TicketRow =>
  toWire(ticketRow, {
    ...ticket,
    topic: topicName(ticket.topic),
    status: ticket.state,
    waitingFor: waitingForOf(ticket),
    customer: customerOf(ticket),
    firstLine: (ticket.question.split("\n")[0] ?? "").slice(0, 120),
    waitingSince: ticket.state === "open" ? ticket.waitingSince : null,
    claimer: ticket.claimedBy === null ? null : staffNamed(storedActorId(ticket.claimedBy), names),
  });

function waitingForOf({ state, waitingFor }: Ticket): TicketRow["waiting_for"] {
  if (state === "closed") return null;
  return waitingFor === "member" ? "customer" : waitingFor;
}
