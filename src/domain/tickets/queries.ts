import { and, desc, eq, inArray, isNull, or } from "drizzle-orm";
import type { Ctx } from "@/core/context";
import { ticketGuests, tickets } from "../schema/tickets";

export type Ticket = typeof tickets.$inferSelect;

export async function ticketById(ctx: Ctx, id: string): Promise<Ticket | null> {
  const [ticket] = await ctx.store.db.select().from(tickets).where(eq(tickets.id, id));
  return ticket ?? null;
}

export async function ticketByNumber(ctx: Ctx, number: number): Promise<Ticket | null> {
  const [ticket] = await ctx.store.db.select().from(tickets).where(eq(tickets.number, number));
  return ticket ?? null;
}

export async function ticketOfThread(ctx: Ctx, threadId: string): Promise<Ticket | null> {
  const [ticket] = await ctx.store.db.select().from(tickets).where(eq(tickets.threadId, threadId));
  return ticket ?? null;
}

/** The tickets that staff see by these messages. */
export const ticketOfCard = (ctx: Ctx, messageIds: string[]): Promise<Ticket[]> =>
  ctx.store.db.select().from(tickets).where(inArray(tickets.cardId, messageIds));

/** The one open ticket of a member about a topic. */
export async function openTicketOf(ctx: Ctx, discordUserId: string, topic: string): Promise<Ticket | null> {
  const [ticket] = await ctx.store.db
    .select()
    .from(tickets)
    .where(and(ofMember(discordUserId), eq(tickets.topic, topic), isOpen));
  return ticket ?? null;
}

export const openTicketsOf = (ctx: Ctx, discordUserId: string): Promise<Ticket[]> =>
  ctx.store.db
    .select()
    .from(tickets)
    .where(and(ofMember(discordUserId), isOpen));

/** A member's newest tickets, newest first. */
export const ticketsOf = (ctx: Ctx, discordUserId: string): Promise<Ticket[]> =>
  ctx.store.db.select().from(tickets).where(ofMember(discordUserId)).orderBy(desc(tickets.number)).limit(50);

/**
 * Whose a ticket is on the site: the account's that was connected when it was opened, or, opened without
 * one, the account's that the member is connected to by now.
 */
export const ownedBy = (owner: { accountId: string; discordUserId: string | null }) =>
  or(
    eq(tickets.accountId, owner.accountId),
    owner.discordUserId === null
      ? undefined
      : and(isNull(tickets.accountId), eq(tickets.discordUserId, owner.discordUserId)),
  );

export async function guestsOf(ctx: Ctx, ticketId: string): Promise<string[]> {
  const rows = await ctx.store.db.select().from(ticketGuests).where(eq(ticketGuests.ticketId, ticketId));
  return rows.map(({ discordUserId }) => discordUserId);
}

const isOpen = eq(tickets.state, "open");
const ofMember = (discordUserId: string) => eq(tickets.discordUserId, discordUserId);
