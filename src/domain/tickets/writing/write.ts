import { and, eq, isNull } from "drizzle-orm";
import { type Actor, actorId, type Staff } from "@/core/base/actor";
import { commit, mustHaveChanged, type Write } from "@/core/database/commit";
import { type Ctx, newId } from "@/core/database/context";
import { failpoint } from "@/core/log/failpoints";
import { Refusal } from "@/core/base/refusal";
import { authorize } from "../../permissions";
import { ticketMessages, tickets } from "../../schema/tickets";
import { answeredWrite } from "./answered";
import type { Ticket } from "../reading/queries";
import { closeIfFull, closeWrites } from "./change";
import { queueInThread, requestSync } from "../reading/thread";

type SiteMessage = {
  id?: string;
  author: "member" | "staff";
  authorId: string;
  name: string;
  text: string;
};

type Written = { id?: string; account: { id: string; username: string }; text: string };

/** Writes a message of the account's own ticket, which the bot posts in the thread. Refuses with `ticket_closed`. */
export async function writeOnSite(
  ctx: Ctx,
  ticket: Ticket,
  { id = newId(), account, text }: Written,
): Promise<void> {
  const { id: authorId, username: name } = account;
  authorize({ kind: "customer", via: "site", accountId: authorId }, "ticket.write");
  await commitMessage(
    ctx,
    ticket,
    siteMessageWrites(ctx, ticket.id, { id, author: "member", authorId, name, text }),
  );
}

type Answer = { actor: Actor; name: string; text: string; closes?: boolean | undefined };

/** Writes staff's answer outside Discord, which may close the ticket. Refuses with `ticket_closed`. */
export async function answerOnSite(
  ctx: Ctx,
  ticket: Ticket,
  { actor, name, text, closes = false }: Answer,
): Promise<void> {
  authorize(actor, "ticket.answer");
  if (closes) authorize(actor, "ticket.close");
  const authorId = actorId(actor);
  await commitMessage(ctx, ticket, [
    ...siteMessageWrites(ctx, ticket.id, { author: "staff", authorId, name, text }),
    ...answerWrites(ctx, ticket),
    ...(closes ? closeWrites(ctx, ticket, { actor, reason: null }) : []),
  ]);
}

/** What an answer of staff outside Discord changes besides its message. */
export const answerWrites = (ctx: Ctx, ticket: Ticket): Write[] => [
  answeredWrite(ctx, ticket),
  noteFirstAnswer(ctx, ticket),
];

/**
 * Queues an answer that the bot posts in the ticket's thread. Resolves to its idempotency key, for
 * `queuedMessageStatus`. Refuses with `ticket_closed`.
 */
export async function answerTicket(
  ctx: Ctx,
  ticket: Ticket,
  { staff, text }: { staff: Staff; text: string },
): Promise<string> {
  authorize(staff, "ticket.answer");
  if (ticket.state === "closed") throw new Refusal("ticket_closed");
  const what = newId();
  await commit(ctx.store, [queueInThread(ctx, ticket.id, { what, text })]);
  return what;
}

const noteFirstAnswer = (ctx: Ctx, { id }: Ticket): Write =>
  ctx.store.db
    .update(tickets)
    .set({ firstAnswerAt: ctx.now() })
    .where(and(eq(tickets.id, id), isNull(tickets.firstAnswerAt)));

/** Commits the writes of a message, and closes the ticket once it is full. */
export async function commitMessage(ctx: Ctx, ticket: Ticket, all: Write[]): Promise<void> {
  await commit(ctx.store, all);
  failpoint("ticket.written");
  await closeIfFull(ctx, ticket);
}

/** The first writes of a commit: a message from outside Discord, in an open ticket. */
export const siteMessageWrites = (ctx: Ctx, ticketId: string, message: SiteMessage): Write[] => [
  waitsForOther(ctx, ticketId, message.author),
  mustHaveChanged("ticket_closed"),
  messageWrite(ctx, ticketId, message),
  requestSync(ctx, ticketId),
];

/** An open ticket waits for the other side once one has written. */
export const waitsForOther = (ctx: Ctx, ticketId: string, author: SiteMessage["author"]): Write =>
  ctx.store.db
    .update(tickets)
    .set({
      waitingFor: author === "member" ? "staff" : "member",
      waitingSince: ctx.now(),
      remindedAt: null,
    })
    .where(and(eq(tickets.id, ticketId), eq(tickets.state, "open")));

export const messageWrite = (
  ctx: Ctx,
  ticketId: string,
  { id = newId(), author, authorId, name, text }: SiteMessage,
): Write =>
  ctx.store.db.insert(ticketMessages).values({
    id,
    ticketId,
    via: "site",
    author,
    authorId,
    authorName: name.slice(0, 100),
    content: text,
    at: ctx.now(),
  });
