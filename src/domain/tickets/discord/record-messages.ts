import { and, eq, gt, inArray, isNull, lt, notExists, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { day } from "@/contract/vocabulary/time";
import { withoutIndex } from "@/core/database/without-index";
import { commit, commitIfFirst, mustHaveChanged, type Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { auditLog } from "@/core/database/schema";
import { enqueue } from "@/core/jobs/outbox";
import { botTopics } from "../../outbox-topics";
import { ticketFiles, ticketMessages, tickets } from "../../schema/tickets";
import { answeredWrite } from "../writing/answered";
import { isPost } from "./posts";
import { guestsOf, type Ticket, ticketOfThread } from "../reading/queries";
import { closeIfFull } from "../writing/change";
import { requestSync } from "../reading/thread";
import type { ThreadMessage } from "../reading/ticket-channels";

/** Per person. People don't type more than this; a program would fill the database. */
export const maxMessagesPerDay = 5_000;
/** How many earlier versions of a message are kept. */
const mostVersions = 20;
const mostCharactersOfVersions = 8_000;

/** Records a message of a ticket's thread. Ignores messages elsewhere, and recorded ones. */
export async function recordMessage(ctx: Ctx, message: ThreadMessage): Promise<void> {
  const ticket = await ticketOfThread(ctx, message.threadId);
  if (!ticket) return;
  await recordOnce(ctx, ticket, message);
}

/** Records the message, unless it is recorded or its author is over the day's limit. Closes a ticket that is full. */
export async function recordOnce(ctx: Ctx, ticket: Ticket, message: ThreadMessage): Promise<void> {
  const [known] = await ctx.store.db
    .select({ id: ticketMessages.id })
    .from(ticketMessages)
    .where(eq(ticketMessages.id, message.id));
  if (known || (message.writer === "bot" && (await isOurs(ctx, ticket, message)))) return;
  const author = await authorOf(ctx, ticket, message);
  const isKept = await commitIfFirst(ctx.store, messageWrites(ctx, ticket, { ...message, author }));
  if (isKept) await closeIfFull(ctx, ticket);
}

/**
 * Whether the bot repeats what a ticket from the site has anyway: a message written there, or the opening and closing
 * messages, which its page shows in its own way.
 */
const isOurs = async (ctx: Ctx, ticket: Ticket, message: ThreadMessage): Promise<boolean> =>
  (ticket.via === "site" && message.content.startsWith(`**Ticket #${ticket.number} `)) ||
  isPost(ctx, ticket.id, message);

type AuthoredMessage = ThreadMessage & { author: Author };

function messageWrites(ctx: Ctx, ticket: Ticket, { author, ...message }: AuthoredMessage): Write[] {
  const { db } = ctx.store;
  return [
    db
      .insert(ticketMessages)
      .values({
        id: message.id,
        ticketId: ticket.id,
        author,
        authorId: message.authorId,
        authorName: message.authorName.slice(0, 100),
        content: message.content,
        at: message.at,
        editedAt: message.editedAt,
      })
      .onConflictDoNothing(),
    ...(author === "shop" ? [] : withinDailyLimit(ctx, message)),
    ...message.files.flatMap((file) => [
      db
        .insert(ticketFiles)
        .values({ ...file, messageId: message.id, ticketId: ticket.id })
        .onConflictDoNothing(),
      enqueue(ctx, { topic: botTopics.copyFile, subject: file.id }),
    ]),
    ...waitingWrites(ctx, ticket, { author, at: message.at }),
    ...(author === "member" ? [] : [answeredWrite(ctx, ticket)]),
    // the member may have left the thread
    ...(author === "staff" && ticket.state === "open" ? [requestSync(ctx, ticket.id)] : []),
  ];
}

/** Fails the commit of a message over the limit with `conflict`. */
function withinDailyLimit(ctx: Ctx, { id, authorId, at }: ThreadMessage): Write[] {
  const { db } = ctx.store;
  const sent = alias(ticketMessages, "sent");
  const count = db
    .select({ count: sql`count(*)` })
    .from(sent)
    .where(and(eq(sent.authorId, authorId), gt(sent.at, new Date(at.getTime() - day))));
  return [
    db
      .update(ticketMessages)
      .set({ authorId })
      .where(and(eq(ticketMessages.id, id), sql`${count} <= ${maxMessagesPerDay}`)),
    mustHaveChanged("conflict"),
  ];
}

type Author = "member" | "staff" | "shop";

async function authorOf(ctx: Ctx, ticket: Ticket, { authorId, writer }: ThreadMessage): Promise<Author> {
  if (writer === "bot") return "shop";
  if (writer === "app" || authorId === ticket.discordUserId) return "member";
  // only the member, guests and staff can write in the thread, and a member whose connection ended since
  const isMember =
    (await guestsOf(ctx, ticket.id)).includes(authorId) || (await wasConnected(ctx, ticket, authorId));
  return isMember ? "member" : "staff";
}

/** Whether a Discord user was connected to the ticket's account: what they wrote may be read long after that ended. */
async function wasConnected(ctx: Ctx, { accountId }: Ticket, discordUserId: string): Promise<boolean> {
  if (accountId === null) return false;
  const made = and(
    eq(auditLog.subject, discordUserId),
    inArray(auditLog.action, ["discord.linked", "discord.relinked"]),
    withoutIndex(eq(auditLog.accountId, accountId)),
  );
  return (await ctx.store.db.$count(auditLog, made)) > 0;
}

/** Sets whom the ticket waits for after this message. Ignores a message recorded late, after newer ones. */
function waitingWrites(ctx: Ctx, ticket: Ticket, { author, at }: { author: string; at: Date }): Write[] {
  if (author !== "member" && author !== "staff") return [];
  const { db } = ctx.store;
  const later = db
    .select({ id: ticketMessages.id })
    .from(ticketMessages)
    .where(
      and(
        eq(ticketMessages.ticketId, ticket.id),
        inArray(ticketMessages.author, ["member", "staff"]),
        gt(ticketMessages.at, at),
      ),
    );
  const answered = sql`min(coalesce(${tickets.firstAnswerAt}, ${at.getTime()}), ${at.getTime()})`;
  return [
    db
      .update(tickets)
      .set({ waitingFor: author === "staff" ? "member" : "staff", waitingSince: at, remindedAt: null })
      .where(and(eq(tickets.id, ticket.id), eq(tickets.state, "open"), notExists(later))),
    ...(author === "staff"
      ? [db.update(tickets).set({ firstAnswerAt: answered }).where(eq(tickets.id, ticket.id))]
      : []),
  ];
}

type Edit = { id: string; content: string; at: Date };

/** Stores a message's new text and keeps the text before it. Ignores edits older than the last. */
export async function recordEdit(ctx: Ctx, edit: Edit): Promise<void> {
  const [known] = await ctx.store.db.select().from(ticketMessages).where(eq(ticketMessages.id, edit.id));
  if (!known || known.content === edit.content) return;
  const isNewer = or(isNull(ticketMessages.editedAt), lt(ticketMessages.editedAt, edit.at));
  const text = { content: edit.content, before: newestVersions([...known.before, known.content]) };
  await commit(ctx.store, [
    ctx.store.db
      .update(ticketMessages)
      .set({ ...text, editedAt: edit.at })
      .where(and(eq(ticketMessages.id, edit.id), isNewer)),
  ]);
}

function newestVersions(versions: string[]): string[] {
  const newest = versions.slice(-mostVersions);
  while (newest.length > 1 && newest.join("").length > mostCharactersOfVersions) newest.shift();
  return newest;
}

/** Marks messages as deleted; they stay in the transcript. */
export async function recordDeletions(ctx: Ctx, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  await commit(
    ctx.store,
    ids.map((id) =>
      ctx.store.db
        .update(ticketMessages)
        .set({ deletedAt: ctx.now() })
        .where(and(eq(ticketMessages.id, id), isNull(ticketMessages.deletedAt))),
    ),
  );
}
