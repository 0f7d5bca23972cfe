import { and, eq, inArray, or, type SQL } from "drizzle-orm";
import type { Write } from "@/core/commit";
import { type Ctx, newId } from "@/core/context";
import { type Job, post } from "@/core/outbox";
import { auditLog } from "@/core/schema";
import { linkOf } from "../community/links";
import { ticketGuests, ticketMessages, tickets } from "../schema/tickets";
import { removeFilesOf } from "./files";
import { keepHighestNumber } from "./numbers";
import { ownedBy, type Ticket } from "./queries";
import type { TicketChannels } from "./ticket-channels";

/** Jobs on this topic delete an erased ticket's thread and card at Discord. */
export const eraseTopic = "ticket.erase";

/** The writes that erase these tickets with their messages and files, and their threads and cards at Discord. */
export async function eraseTicketsWrites(ctx: Ctx, which: SQL | undefined, most = -1): Promise<Write[]> {
  const { id, threadId, cardId } = tickets;
  const doomed = await ctx.store.db.select({ id, threadId, cardId }).from(tickets).where(which).limit(most);
  if (doomed.length === 0) return [];
  return [
    keepHighestNumber(ctx),
    ...doomed.flatMap(({ id: ticketId, ...traces }) => [
      removeFilesOf(ctx, ticketId),
      ctx.store.db.delete(tickets).where(eq(tickets.id, ticketId)),
      ...(traces.threadId || traces.cardId ? [eraseTraces(ctx, traces)] : []),
    ]),
  ];
}

/** Has an erased ticket's thread and card deleted. */
export const eraseTraces = (ctx: Ctx, traces: Pick<Ticket, "threadId" | "cardId">): Write =>
  post(ctx, { topic: eraseTopic, subject: newId(), payload: traces });

/** Erases an account's own tickets; what it wrote in other people's tickets stays, without its name. */
export async function eraseAccountTicketsWrites(ctx: Ctx, accountId: string): Promise<Write[]> {
  const { db } = ctx.store;
  const link = await linkOf(ctx, accountId);
  const own = ownedBy({ accountId, discordUserId: link?.discordUserId ?? null });
  const rows = await db
    .select({ id: tickets.id, discordUserId: tickets.discordUserId })
    .from(tickets)
    .where(own);
  const users = [
    ...new Set([...rows.map((row) => row.discordUserId), ...(link ? [link.discordUserId] : [])]),
  ];
  const ids = rows.map(({ id }) => id);
  const aboutThem = or(
    eq(auditLog.accountId, accountId),
    // without any, this would keep SQLite from using an index
    ids.length > 0 ? inArray(auditLog.subject, ids) : undefined,
  );
  const actors = users.map((user) => `discord:${user}`);
  return [
    ...(await eraseTicketsWrites(ctx, own)),
    ...(link
      ? [
          db
            .update(ticketMessages)
            .set({ authorId: "", authorName: "Deleted account" })
            .where(eq(ticketMessages.authorId, link.discordUserId)),
          db.delete(ticketGuests).where(eq(ticketGuests.discordUserId, link.discordUserId)),
        ]
      : []),
    // the audit log names the actor by the account's id, which from now on identifies nobody
    db
      .update(auditLog)
      .set({ actor: accountId })
      .where(and(aboutThem, inArray(auditLog.actor, actors))),
  ];
}

export async function eraseAtDiscord(
  channels: TicketChannels,
  job: Job<typeof eraseTopic>,
): Promise<Write[]> {
  const { threadId, cardId } = job.payload;
  if (threadId) await channels.removeThread(threadId);
  if (cardId) await channels.removeCard(cardId);
  return [];
}
