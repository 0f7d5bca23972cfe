import { and, desc, eq, gt, isNotNull, ne, or } from "drizzle-orm";
import { commit, type Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { enqueue } from "@/core/jobs/outbox";
import { botTopics } from "../../outbox-topics";
import { ticketMessages, tickets } from "../../schema/tickets";
import { reopenableSince } from "../writing/change";
import { type Ticket, ticketById } from "../reading/queries";
import { recordDeletions, recordEdit, recordOnce } from "./record-messages";
import { forgetLostThread, requestSync } from "../reading/thread";
import { type ThreadMessage, type TicketChannels, ThreadGone } from "../reading/ticket-channels";

/** The shop serves requests between two commits. */
const postedAtOnce = 100;

/** Requests an inspection of every ticket that is open or may be reopened. */
export async function inspectAllTickets(ctx: Ctx): Promise<void> {
  const since = reopenableSince(ctx.now());
  const reopenable = and(
    eq(tickets.state, "closed"),
    gt(tickets.closedAt, since),
    isNotNull(tickets.threadId),
  );
  const living = await ctx.store.db
    .select({ id: tickets.id })
    .from(tickets)
    .where(or(eq(tickets.state, "open"), reopenable));
  for (let at = 0; at < living.length; at += postedAtOnce) {
    const page = living.slice(at, at + postedAtOnce);
    await commit(
      ctx.store,
      page.map(({ id }) => enqueue(ctx, { topic: botTopics.inspectTicket, subject: id })),
    );
  }
}

/**
 * Records the messages, edits and deletions missed in a ticket's thread, and requests a sync if the thread or the card
 * is gone or the member is not in the thread.
 */
export async function inspectTicket(ctx: Ctx, channels: TicketChannels, id: string): Promise<Write[]> {
  const ticket = await ticketById(ctx, id);
  if (!ticket) return [];
  try {
    await catchUp(ctx, channels, id, { again: true });
  } catch (error) {
    if (!(error instanceof ThreadGone)) throw error;
    await forgetLostThread(ctx, ticket);
    return [];
  }
  if (ticket.state === "closed") return [];
  const { threadId, greetingId, cardId } = ticket;
  const isIntact =
    threadId !== null &&
    greetingId !== null &&
    cardId !== null &&
    (await channels.cardExists(cardId)) &&
    !(await isMissing(channels, threadId, ticket));
  return isIntact ? [] : [requestSync(ctx, id)];
}

/** Whether a member who should be in the thread is not; who opened the ticket on the site need not be. */
const isMissing = async (
  channels: TicketChannels,
  threadId: string,
  { via, discordUserId, inThread }: Ticket,
): Promise<boolean> => {
  if (discordUserId === null) return inThread;
  const member = await channels.addToThread(threadId, discordUserId);
  return via === "site" ? (member === "inside") !== inThread : member === "away";
};

/** More than a ticket takes, with those that came while its thread was being locked. */
const mostCompared = 1_000;

type RecordedMessage = Pick<typeof ticketMessages.$inferSelect, "id" | "content" | "deletedAt">;

/**
 * Asks Discord, a page at a time, for the messages since the last recorded one; with `again`, also for edits and
 * deletions of the recorded ones. Throws what `TicketChannels` throws.
 */
export async function catchUp(
  ctx: Ctx,
  channels: TicketChannels,
  ticketId: string,
  { again = false }: { again?: boolean } = {},
): Promise<void> {
  const ticket = await ticketById(ctx, ticketId);
  if (!ticket?.threadId) return;
  const { threadId } = ticket;
  // read before asking Discord, so that a message posted meanwhile does not look deleted
  const recorded = await newestRecorded(ctx, { id: ticketId, threadId });
  const byId = new Map(recorded.map((one) => [one.id, one]));
  let after = again ? null : (recorded[0]?.id ?? null);
  let readable = false;
  for (;;) {
    const { messages, next } = await channels.messagesAfter(threadId, after);
    for (const message of messages) {
      const known = byId.get(message.id);
      if (!known) await recordOnce(ctx, ticket, message);
      else await recordMissedEdit(ctx, known, message);
    }
    // without the permission to read the history, Discord answers with an empty list
    readable ||= messages.length > 0;
    if (readable) await recordDeletions(ctx, missingFrom(messages, recorded, { after, next }));
    if (next === null) break;
    after = next;
  }
}

/** The recorded messages that belong between `after` and `next` but are missing there. */
function missingFrom(
  messages: ThreadMessage[],
  recorded: RecordedMessage[],
  { after, next }: { after: string | null; next: string | null },
) {
  const there = new Set(messages.map(({ id }) => id));
  const within = recorded.filter(({ id }) => isAfter(id, after) && (next === null || !isAfter(id, next)));
  return within.filter(({ id, deletedAt }) => !deletedAt && !there.has(id)).map(({ id }) => id);
}

async function recordMissedEdit(
  ctx: Ctx,
  known: RecordedMessage,
  { id, content, editedAt }: ThreadMessage,
): Promise<void> {
  if (editedAt && known.content !== content) await recordEdit(ctx, { id, content, at: editedAt });
}

/** The recorded messages of the current thread, newest first. Discord can't answer about a lost thread before it. */
async function newestRecorded(
  ctx: Ctx,
  ticket: { id: string; threadId: string },
): Promise<RecordedMessage[]> {
  const { id, at, content, deletedAt } = ticketMessages;
  const newest = await ctx.store.db
    .select({ id, content, deletedAt })
    .from(ticketMessages)
    .where(
      and(
        eq(ticketMessages.ticketId, ticket.id),
        eq(ticketMessages.via, "discord"),
        ne(ticketMessages.author, "note"),
      ),
    )
    .orderBy(desc(at), desc(id))
    .limit(mostCompared);
  return newest.filter((one) => isAfter(one.id, ticket.threadId));
}

/** Discord's ids grow with time. */
const isAfter = (id: string, other: string | null) => other === null || BigInt(id) > BigInt(other);
