import { and, eq, inArray, or, type SQL } from "drizzle-orm";
import type { Write } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { type Job, post } from "@/core/outbox";
import { auditLog } from "@/core/schema";
import { linkOf } from "../community/change-link";
import { ownedBy } from "./queries";
import { removals } from "./remove-files";
import type { TicketRoom } from "./ticket-channels";
import { ticketGuests, ticketMessages, tickets } from "../schema/tickets";

/** Work on this topic takes away what is left of an erased ticket at Discord. */
export const eraseTopic = "ticket.erase";

/**
 * The writes that erase these tickets with all that was said and sent in them, and their threads and cards at
 * Discord. For the commit that erases more.
 */
export async function forgetting(ctx: Ctx, which: SQL | undefined, most = -1): Promise<Write[]> {
  const { id, threadId, cardId } = tickets;
  const doomed = await ctx.store.db.select({ id, threadId, cardId }).from(tickets).where(which).limit(most);
  return doomed.flatMap(({ id: subject, ...traces }) => [
    removals(ctx, subject),
    ctx.store.db.delete(tickets).where(eq(tickets.id, subject)),
    ...(traces.threadId || traces.cardId ? [post(ctx, { topic: eraseTopic, subject, payload: traces })] : []),
  ]);
}

/** The same for everything that an account had to do with tickets; in others' tickets its words stay, nameless. */
export async function forgettingAccount(ctx: Ctx, accountId: string): Promise<Write[]> {
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
  const theirs = or(
    eq(auditLog.accountId, accountId),
    inArray(
      auditLog.subject,
      rows.map(({ id }) => id),
    ),
  );
  const actors = users.map((user) => `discord:${user}`);
  return [
    ...(await forgetting(ctx, own)),
    ...(link
      ? [
          db
            .update(ticketMessages)
            .set({ authorId: "", authorName: "Deleted account" })
            .where(eq(ticketMessages.authorId, link.discordUserId)),
          db.delete(ticketGuests).where(eq(ticketGuests.discordUserId, link.discordUserId)),
        ]
      : []),
    // who did it is told by the account's number, which tells nothing from now on
    db
      .update(auditLog)
      .set({ actor: accountId })
      .where(and(theirs, inArray(auditLog.actor, actors))),
  ];
}

export async function eraseAtDiscord(room: TicketRoom, job: Job<typeof eraseTopic>): Promise<Write[]> {
  const { threadId, cardId } = job.payload;
  if (threadId) await room.removeThread(threadId);
  if (cardId) await room.removeCard(cardId);
  return [];
}
