import { and, desc, eq, gt, inArray, isNotNull, isNull, or, sql } from "drizzle-orm";
import { day } from "@/contract/vocabulary/time";
import type { Actor } from "@/core/base/actor";
import type { Ctx } from "@/core/database/context";
import type { Gauge } from "@/core/log/metrics";
import { Refusal } from "@/core/base/refusal";
import { linkOf } from "../../discord/links";
import { ticketGuests, tickets } from "../../schema/tickets";

export type Ticket = typeof tickets.$inferSelect;

export async function ticketById(ctx: Ctx, id: string): Promise<Ticket | null> {
  const [ticket] = await ctx.store.db.select().from(tickets).where(eq(tickets.id, id));
  return ticket ?? null;
}

/** Refuses with `ticket_unknown`. */
export async function expectTicket(ctx: Ctx, id: string): Promise<Ticket> {
  const ticket = await ticketById(ctx, id);
  if (!ticket) throw new Refusal("ticket_unknown");
  return ticket;
}

export async function ticketByNumber(ctx: Ctx, number: number): Promise<Ticket | null> {
  const [ticket] = await ctx.store.db.select().from(tickets).where(eq(tickets.number, number));
  return ticket ?? null;
}

export async function ticketOfThread(ctx: Ctx, threadId: string): Promise<Ticket | null> {
  const [ticket] = await ctx.store.db.select().from(tickets).where(eq(tickets.threadId, threadId));
  return ticket ?? null;
}

/** The tickets whose staff cards are these messages. */
export const ticketsOfCards = (ctx: Ctx, messageIds: string[]): Promise<Ticket[]> =>
  ctx.store.db.select().from(tickets).where(inArray(tickets.cardId, messageIds));

export const openTicketsOf = (ctx: Ctx, discordUserId: string): Promise<Ticket[]> =>
  ctx.store.db
    .select()
    .from(tickets)
    .where(and(ofMember(discordUserId), isOpen));

/** The 50 newest tickets of a Discord user or, without one, of an account; newest first. */
export const ticketsOf = (
  ctx: Ctx,
  { accountId, discordUserId }: Pick<Ticket, "accountId" | "discordUserId">,
): Promise<Ticket[]> =>
  ctx.store.db
    .select()
    .from(tickets)
    .where(discordUserId === null ? sql`${tickets.accountId} = ${accountId}` : ofMember(discordUserId))
    .orderBy(...newestFirst)
    .limit(50);

/**
 * The tickets an account sees on the site: those opened while the member was connected to it, and those that the member
 * opened without an account.
 */
export const ownedBy = (owner: { accountId: string; discordUserId: string | null }) =>
  or(
    eq(tickets.accountId, owner.accountId),
    owner.discordUserId === null
      ? undefined
      : and(isNull(tickets.accountId), eq(tickets.discordUserId, owner.discordUserId)),
  );

/** Whether a customer may change a ticket: as the member of its thread, or as {@link ownedBy} says. */
export async function isOwnedBy(ctx: Ctx, ticket: Ticket, owner: Customer): Promise<boolean> {
  const { accountId, discordUserId } = ticket;
  if (owner.via === "discord") return owner.discordUserId === discordUserId;
  if (accountId !== null || discordUserId === null) return owner.accountId === accountId;
  return (await linkOf(ctx, owner.accountId))?.discordUserId === discordUserId;
}

type Customer = Extract<Actor, { kind: "customer" }>;

export async function guestsOf(ctx: Ctx, ticketId: string): Promise<string[]> {
  const rows = await ctx.store.db.select().from(ticketGuests).where(eq(ticketGuests.ticketId, ticketId));
  return rows.map(({ discordUserId }) => discordUserId);
}

// must equal the condition of a partial index, so it has no parameter
export const isOpen = sql`${tickets.state} = 'open'`;
const ofMember = (discordUserId: string) => eq(tickets.discordUserId, discordUserId);
/** Uses an index. */
export const newestFirst = [desc(tickets.openedAt), desc(tickets.id)];

const statisticsMilliseconds = 30 * day;

/** Answer times and ratings cover the tickets opened in the last thirty days. */
export type Statistics = {
  open: number;
  /** How many of the open tickets wait for staff. */
  waiting: number;
  opened: number;
  /** The median time to the first answer; null before there is one. */
  firstAnswerMilliseconds: number | null;
  stars: { count: number; average: number | null };
};

/** How many open tickets wait for staff, and how many for the member. */
async function countOpenTickets(ctx: Ctx): Promise<{ staff: number; member: number }> {
  const waitingFor = (who: "staff" | "member") =>
    ctx.store.db.$count(tickets, and(isOpen, eq(tickets.waitingFor, who)));
  const [staff, member] = await Promise.all([waitingFor("staff"), waitingFor("member")]);
  return { staff, member };
}

export async function ticketStatistics(ctx: Ctx): Promise<Statistics> {
  const { db } = ctx.store;
  const now = await countOpenTickets(ctx);
  const recent = gt(tickets.openedAt, new Date(ctx.now().getTime() - statisticsMilliseconds));
  const [sum] = await db
    .select({
      opened: sql<number>`count(*)`,
      rated: sql<number>`count(${tickets.stars})`,
      average: sql<number | null>`avg(${tickets.stars})`,
    })
    .from(tickets)
    .where(recent);
  const answered = await db
    .select({ openedAt: tickets.openedAt, firstAnswerAt: tickets.firstAnswerAt })
    .from(tickets)
    .where(and(recent, isNotNull(tickets.firstAnswerAt)));
  const waits = answered
    .map(({ openedAt, firstAnswerAt }) => (firstAnswerAt?.getTime() ?? 0) - openedAt.getTime())
    .toSorted((one, other) => one - other);
  return {
    open: now.staff + now.member,
    waiting: now.staff,
    opened: sum?.opened ?? 0,
    firstAnswerMilliseconds: waits[Math.floor((waits.length - 1) / 2)] ?? null,
    stars: { count: sum?.rated ?? 0, average: sum?.average ?? null },
  };
}

export async function ticketGauges(ctx: Ctx): Promise<Gauge[]> {
  const open = await countOpenTickets(ctx);
  const help = "Open tickets, by whose turn it is to write.";
  const values = (["staff", "member"] as const).map((whom) => ({
    labels: { waiting_for: whom },
    value: open[whom],
  }));
  return [{ name: "latchkey_tickets_open", help, values }];
}
