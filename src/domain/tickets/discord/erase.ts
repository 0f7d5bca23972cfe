import { and, eq, inArray, type SQL } from "drizzle-orm";
import { withoutIndex } from "@/core/database/without-index";
import { commit, type Write } from "@/core/database/commit";
import { type Ctx, newId } from "@/core/database/context";
import type { Job } from "@/core/jobs/job-handlers";
import { enqueue } from "@/core/jobs/outbox";
import { auditLog } from "@/core/database/schema";
import { botTopics } from "../../outbox-topics";
import { yieldToEventLoop } from "@/core/base/yield";
import { linkOf } from "../../discord/links";
import { ticketFiles, ticketGuests, ticketMessages, tickets } from "../../schema/tickets";
import { removeFiles } from "../writing/files";
import { keepHighestNumber } from "../reading/numbers";
import { ownedBy, type Ticket } from "../reading/queries";
import type { TicketChannels } from "../reading/ticket-channels";

/** The writes that erase these tickets with their messages and files, and their threads and cards at Discord. */
export async function eraseTicketsWrites(ctx: Ctx, which: SQL | undefined): Promise<Write[]> {
  const { id, threadId, cardId } = tickets;
  const doomed = await ctx.store.db.select({ id, threadId, cardId }).from(tickets).where(which);
  if (doomed.length === 0) return [];
  return [
    keepHighestNumber(ctx),
    ...doomed.flatMap(({ id: ticketId, ...traces }) => [
      removeFiles(ctx, eq(ticketFiles.ticketId, ticketId)),
      ctx.store.db.delete(tickets).where(eq(tickets.id, ticketId)),
      ...(traces.threadId || traces.cardId ? [eraseTraces(ctx, traces)] : []),
    ]),
  ];
}

/** The shop serves requests between two of these. */
const ticketsAtOnce = 20;
const messagesAtOnce = 200;

/** Erases tickets one after the other, each one's messages a page at a time: a ticket may have hundreds. */
export async function eraseTickets(
  ctx: Ctx,
  which: SQL | undefined,
  { most = Infinity, also = () => [] }: { most?: number; also?: (page: OwnedTicket[]) => Write[] } = {},
): Promise<void> {
  for (let left = most; left > 0; left -= ticketsAtOnce) {
    const page = await ctx.store.db
      .select({ id: tickets.id, discordUserId: tickets.discordUserId })
      .from(tickets)
      .where(which)
      .limit(Math.min(ticketsAtOnce, left));
    for (const { id } of page) await eraseMessages(ctx, id);
    const ids = page.map(({ id }) => id);
    // somebody may have reopened one meanwhile
    const doomed = and(inArray(tickets.id, ids), withoutIndex(which));
    const erased = ids.length > 0 ? await eraseTicketsWrites(ctx, doomed) : [];
    await commit(ctx.store, [...erased, ...also(page)]);
    if (page.length < ticketsAtOnce) return;
  }
}

type OwnedTicket = Pick<Ticket, "id" | "discordUserId">;

async function eraseMessages(ctx: Ctx, ticketId: string): Promise<void> {
  const { id } = ticketMessages;
  for (;;) {
    const page = await ctx.store.db
      .select({ id })
      .from(ticketMessages)
      .where(eq(ticketMessages.ticketId, ticketId))
      .limit(messagesAtOnce);
    // the commit that erases the ticket takes its last page
    if (page.length < messagesAtOnce) return;
    const ids = page.map((message) => message.id);
    await commit(ctx.store, [
      removeFiles(ctx, inArray(ticketFiles.messageId, ids)),
      ctx.store.db.delete(ticketMessages).where(inArray(id, ids)),
    ]);
    await yieldToEventLoop();
  }
}

/** Deletes an erased ticket's thread and card at Discord. */
export const eraseTraces = (ctx: Ctx, traces: Pick<Ticket, "threadId" | "cardId">): Write =>
  enqueue(ctx, { topic: botTopics.eraseAtDiscord, subject: newId(), payload: traces });

/**
 * Erases most of an account's tickets, and its name in others, before the commit with {@link
 * eraseAccountTicketsWrites}, which then has little left to do. Resolves to the account's Discord users, as actors of
 * the audit log.
 */
export async function eraseAccountTickets(ctx: Ctx, accountId: string): Promise<Set<string>> {
  const discordUserId = (await linkOf(ctx, accountId))?.discordUserId ?? null;
  const actors = new Set(discordUserId === null ? [] : [actorOf(discordUserId)]);
  const own = ownedBy({ accountId, discordUserId });
  await eraseTickets(ctx, own, {
    also(page) {
      for (const actor of actorsOf(page)) actors.add(actor);
      return removeNameWrites(ctx, accountId, page);
    },
  });
  await forgetAuthor(ctx, accountId);
  if (discordUserId !== null) await forgetAuthor(ctx, discordUserId);
  return actors;
}

const actorOf = (discordUserId: string) => `discord:${discordUserId}`;
const actorsOf = (page: OwnedTicket[]) =>
  page.flatMap(({ discordUserId }) => (discordUserId === null ? [] : [actorOf(discordUserId)]));

/** Renames the members of erased tickets in the audit log to the account's id, which from now on identifies nobody. */
function removeNameWrites({ store: { db } }: Ctx, accountId: string, erased: OwnedTicket[]): Write[] {
  if (erased.length === 0) return [];
  const ids = erased.map(({ id }) => id);
  const actors = actorsOf(erased);
  return [
    db
      .update(auditLog)
      .set({ actor: accountId })
      .where(and(inArray(auditLog.subject, ids), inArray(auditLog.actor, actors))),
  ];
}

async function forgetAuthor(ctx: Ctx, discordUserId: string): Promise<void> {
  const { id, authorId } = ticketMessages;
  for (;;) {
    const page = await ctx.store.db
      .select({ id })
      .from(ticketMessages)
      .where(eq(authorId, discordUserId))
      .limit(messagesAtOnce);
    const ids = page.map((message) => message.id);
    if (ids.length > 0)
      await commit(ctx.store, [ctx.store.db.update(ticketMessages).set(nobody).where(inArray(id, ids))]);
    if (page.length < messagesAtOnce) return;
    await yieldToEventLoop();
  }
}

const nobody = { authorId: "", authorName: "Deleted account" };

/** Erases an account's own tickets; its messages in other people's tickets stay, without its name. */
export async function eraseAccountTicketsWrites(ctx: Ctx, accountId: string): Promise<Write[]> {
  const { db } = ctx.store;
  const link = await linkOf(ctx, accountId);
  const own = ownedBy({ accountId, discordUserId: link?.discordUserId ?? null });
  const rows = await db
    .select({ id: tickets.id, discordUserId: tickets.discordUserId })
    .from(tickets)
    .where(own);
  return [
    ...(await eraseTicketsWrites(ctx, own)),
    db.update(ticketMessages).set(nobody).where(eq(ticketMessages.authorId, accountId)),
    ...(link
      ? [
          db.update(ticketMessages).set(nobody).where(eq(ticketMessages.authorId, link.discordUserId)),
          db.delete(ticketGuests).where(eq(ticketGuests.discordUserId, link.discordUserId)),
        ]
      : []),
    ...removeNameWrites(ctx, accountId, rows),
  ];
}

export async function eraseAtDiscord(
  channels: TicketChannels,
  job: Job<typeof botTopics.eraseAtDiscord>,
): Promise<Write[]> {
  const { threadId, cardId } = job.payload;
  if (threadId) await channels.removeThread(threadId);
  if (cardId) await channels.removeCard(cardId);
  return [];
}
