import { and, eq, gt, inArray, isNull, lt, notExists, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { commit, mustHaveChanged, type Write } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { post } from "@/core/outbox";
import { isConflict } from "@/core/refusal";
import { fileTopic } from "./files";
import { guestsOf, type Ticket, ticketOfThread } from "./queries";
import type { Heard } from "./ticket-channels";
import { ticketFiles, ticketMessages, tickets } from "../schema/tickets";

/** So many messages of one person are kept within a day: nobody types more, and a program would fill the database. */
export const mostMessagesADay = 5_000;
/** So much of what a message said before its edits is kept. */
const mostVersions = 20;
const mostCharactersOfVersions = 8_000;
const day = 86_400_000;

/** Keeps what was said in a ticket's thread; what was said elsewhere, or is kept already, changes nothing. */
export async function hear(ctx: Ctx, heard: Heard): Promise<void> {
  const ticket = await ticketOfThread(ctx, heard.threadId);
  if (!ticket) return;
  await keepHeard(ctx, ticket, heard);
  if (heard.files.length > 0) ctx.wake();
}

/** Keeps it, unless it is kept already or its author said too much within a day. */
export async function keepHeard(ctx: Ctx, ticket: Ticket, heard: Heard): Promise<void> {
  try {
    await commit(ctx.store, await hearing(ctx, ticket, heard));
  } catch (error) {
    if (!isConflict(error)) throw error;
  }
}

async function hearing(ctx: Ctx, ticket: Ticket, heard: Heard): Promise<Write[]> {
  const { db } = ctx.store;
  const [known] = await db
    .select({ id: ticketMessages.id })
    .from(ticketMessages)
    .where(eq(ticketMessages.id, heard.id));
  if (known) return [];
  const author = await authorOf(ctx, ticket, heard);
  return [
    db
      .insert(ticketMessages)
      .values({
        id: heard.id,
        ticketId: ticket.id,
        author,
        authorId: heard.authorId,
        authorName: heard.authorName.slice(0, 100),
        content: heard.content,
        at: heard.at,
        editedAt: heard.editedAt,
      })
      .onConflictDoNothing(),
    ...(author === "shop" ? [] : withinADaysMessages(ctx, heard)),
    ...heard.files.flatMap((file) => [
      db
        .insert(ticketFiles)
        .values({ ...file, messageId: heard.id, ticketId: ticket.id })
        .onConflictDoNothing(),
      post(ctx, { topic: fileTopic, subject: file.id }),
    ]),
    ...turn(ctx, ticket, { author, at: heard.at }),
  ];
}

/** Refuses the commit that keeps a message with `conflict` where it is one too many. */
function withinADaysMessages(ctx: Ctx, { id, authorId, at }: Heard): Write[] {
  const { db } = ctx.store;
  const said = alias(ticketMessages, "said");
  const count = db
    .select({ count: sql`count(*)` })
    .from(said)
    .where(and(eq(said.authorId, authorId), gt(said.at, new Date(at.getTime() - day))));
  return [
    db
      .update(ticketMessages)
      .set({ authorId })
      .where(and(eq(ticketMessages.id, id), sql`${count} <= ${mostMessagesADay}`)),
    mustHaveChanged("conflict"),
  ];
}

async function authorOf(ctx: Ctx, ticket: Ticket, { authorId, isBot }: Heard) {
  if (isBot) return "shop";
  if (authorId === ticket.discordUserId) return "member";
  // nobody but the member, guests and staff can be in there
  return (await guestsOf(ctx, ticket.id)).includes(authorId) ? "member" : "staff";
}

/** Whose turn it is after somebody spoke; what is heard late changes nothing that was said since. */
function turn(ctx: Ctx, ticket: Ticket, { author, at }: { author: string; at: Date }): Write[] {
  if (author !== "member" && author !== "staff") return [];
  const { db } = ctx.store;
  const saidSince = db
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
      .where(and(eq(tickets.id, ticket.id), eq(tickets.state, "open"), notExists(saidSince))),
    ...(author === "staff"
      ? [db.update(tickets).set({ firstAnswerAt: answered }).where(eq(tickets.id, ticket.id))]
      : []),
  ];
}

export type Edited = { id: string; content: string; at: Date };

/** A message says something else now; what it said before is kept. An edit that came late is passed over. */
export async function hearEdit(ctx: Ctx, edited: Edited): Promise<void> {
  const [known] = await ctx.store.db.select().from(ticketMessages).where(eq(ticketMessages.id, edited.id));
  if (!known || known.content === edited.content) return;
  const isNews = or(isNull(ticketMessages.editedAt), lt(ticketMessages.editedAt, edited.at));
  await commit(ctx.store, [
    ctx.store.db
      .update(ticketMessages)
      .set({
        content: edited.content,
        editedAt: edited.at,
        before: newestVersions([...known.before, known.content]),
      })
      .where(and(eq(ticketMessages.id, edited.id), isNews)),
  ]);
}

function newestVersions(versions: string[]): string[] {
  const newest = versions.slice(-mostVersions);
  while (newest.length > 1 && newest.join("").length > mostCharactersOfVersions) newest.shift();
  return newest;
}

/** Messages were deleted; they stay in the transcript, marked. */
export async function hearDeletion(ctx: Ctx, ids: string[]): Promise<void> {
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
