import { toWire } from "@/contract/wire/to-wire";
import { and, eq, getTableColumns, inArray } from "drizzle-orm";
import type { DeskFilters } from "@/contract/wire/desk/lists";
import { ticketRow, type TicketRow } from "@/contract/wire/desk/rows";
import type { Ctx } from "@/core/database/context";
import { accounts } from "../schema/accounts";
import { tickets } from "../schema/tickets";
import { claimersOf } from "../tickets/writing/claims";
import { type LastMessage, lastMessages, type Message } from "../tickets/reading/messages";
import { isOpen, type Ticket } from "../tickets/reading/queries";
import { topicName } from "../tickets/reading/topics";
import { type ActorNames, namesOf, staffNamed, storedActorId } from "./actors";
import { everyCombination, inOrderOfIds, type RowFilter } from "./newest";
import { customerOf } from "./payments";

export const ticketList = { at: tickets.openedAt, id: tickets.id };
const longestWaitingFirst = { at: tickets.waitingSince, id: tickets.id, oldestFirst: true } as const;

/** Those that wait for somebody come in the order of their waiting. */
export async function ticketsWith(ctx: Ctx, filters: DeskFilters<"tickets">): Promise<RowFilter> {
  const { status, waiting_for: whom, claimed_by: claimer } = filters;
  // in a closed ticket nobody waits
  if (status === "closed" && whom) return { conditions: [] };
  const waiting = whom && (whom === "customer" ? "member" : "staff");
  const claims = claimer
    ? (await claimersNamed(ctx, claimer)).map((one) => eq(tickets.claimedBy, one))
    : [undefined];
  if (waiting) {
    const waits = and(isOpen, eq(tickets.waitingFor, waiting));
    return { order: longestWaitingFirst, conditions: claims.map((claimed) => and(waits, claimed)) };
  }
  // of one claimer, an index has the tickets of each state in the list's order
  const states: (Ticket["state"] | undefined)[] = status || !claimer ? [status] : ["open", "closed"];
  return {
    conditions: everyCombination(
      claims,
      states.map((state) => state && eq(tickets.state, state)),
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
  const last = await lastMessages(ctx, rows);
  const names = await namesOf(
    ctx,
    rows.flatMap(({ claimedBy }) => (claimedBy === null ? [] : [storedActorId(claimedBy)])),
  );
  return inOrderOfIds(ids, rows).map((row) => wireTicket(row, last.get(row.id), names));
}

const wireTicket = (
  ticket: Ticket & { username: string | null },
  last: LastMessage | undefined,
  names: ActorNames,
): TicketRow =>
  toWire(ticketRow, {
    ...ticket,
    topic: topicName(ticket.topic),
    status: ticket.state,
    waitingFor: waitingForOf(ticket),
    waitingSince: ticket.state === "open" ? ticket.waitingSince : null,
    customer: customerOf(ticket),
    name: ticket.memberName,
    claimer: ticket.claimedBy === null ? null : staffNamed(storedActorId(ticket.claimedBy), names),
    last: last
      ? { author: authorOf(ticket, last), text: firstLine(last.content) }
      : { author: "customer", text: firstLine(ticket.question) },
  });

const mostOfALine = 160;
const firstLine = (text: string): string =>
  (/\S.*/.exec(text)?.[0] ?? "").slice(0, mostOfALine).toWellFormed();

/** Who wrote in a ticket, as the desk names them. */
export function authorOf<Author extends Message["author"]>(
  { discordUserId }: Ticket,
  { author, via, authorId }: Pick<Message, "via" | "authorId"> & { author: Author },
): "customer" | "guest" | Exclude<Author, "member"> {
  if (author !== "member") return author as Exclude<Author, "member">;
  return via === "discord" && authorId !== discordUserId ? "guest" : "customer";
}

function waitingForOf({ state, waitingFor }: Ticket): TicketRow["waiting_for"] {
  if (state === "closed") return null;
  return waitingFor === "member" ? "customer" : waitingFor;
}
