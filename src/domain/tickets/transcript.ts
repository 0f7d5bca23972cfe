import { and, asc, desc, eq } from "drizzle-orm";
import type { Ctx } from "@/core/context";
import { Refusal } from "@/core/refusal";
import { linkOf } from "../community/links";
import type { BuildStore } from "../releases/store";
import { ticketFiles, ticketMessages, tickets } from "../schema/tickets";
import { ownedBy, type Ticket } from "./queries";
import { topicName } from "./topics";

export type Message = typeof ticketMessages.$inferSelect;
/** A file without its bytes. */
export type File = Pick<
  typeof ticketFiles.$inferSelect,
  "id" | "messageId" | "name" | "size" | "state" | "type"
>;
export type Transcript = { ticket: Ticket; messages: (Message & { files: File[] })[] };

/** The account's 200 newest tickets, newest first. */
export async function ownTickets(ctx: Ctx, accountId: string): Promise<Ticket[]> {
  return ctx.store.db
    .select()
    .from(tickets)
    .where(await isOwnedBy(ctx, accountId))
    .orderBy(desc(tickets.number))
    .limit(200);
}

/** One of the account's tickets with its messages, without staff notes. Refuses with `ticket_unknown`. */
export async function ownTranscript(ctx: Ctx, accountId: string, id: string): Promise<Transcript> {
  return memberTranscript(ctx, await expectOwn(ctx, accountId, id));
}

/** A ticket's messages as its member may read them: without staff notes. */
export async function memberTranscript(ctx: Ctx, which: Ticket): Promise<Transcript> {
  const { ticket, messages } = await transcriptOf(ctx, which);
  return { ticket, messages: messages.filter(({ author }) => author !== "note") };
}

/** All of the account's transcripts, without staff notes, for the export of its data. */
export async function ownTranscripts(ctx: Ctx, accountId: string): Promise<Transcript[]> {
  const all: Transcript[] = [];
  for (const ticket of await ownTickets(ctx, accountId)) {
    all.push(await memberTranscript(ctx, ticket));
  }
  return all;
}

/** A file sent in one of the account's tickets. Refuses with `ticket_unknown`. */
export async function ownFile(
  { ctx, files }: { ctx: Ctx; files: BuildStore },
  accountId: string,
  at: { ticketId: string; fileId: string },
) {
  const ticket = await expectOwn(ctx, accountId, at.ticketId);
  const [file] = await ctx.store.db
    .select()
    .from(ticketFiles)
    .where(and(eq(ticketFiles.id, at.fileId), eq(ticketFiles.ticketId, ticket.id)));
  const body = file?.state === "kept" ? await bodyOf(files, file) : null;
  if (!file || !body) throw new Refusal("ticket_unknown");
  return { name: file.name, type: file.type ?? "application/octet-stream", body };
}

/** Null where the store has lost the file, as after a restore without the folder of files. */
async function bodyOf(files: BuildStore, { bytes, address }: typeof ticketFiles.$inferSelect) {
  if (bytes) return new Uint8Array(bytes);
  const stored = address ? await files.find(address) : null;
  return stored && stored.body(0, stored.size);
}

/** All of a ticket's messages, staff notes included. */
export async function transcriptOf(ctx: Ctx, ticket: Ticket): Promise<Transcript> {
  const { db } = ctx.store;
  const messages = await db
    .select()
    .from(ticketMessages)
    .where(eq(ticketMessages.ticketId, ticket.id))
    .orderBy(asc(ticketMessages.at), asc(ticketMessages.id));
  const { id, messageId, name, size, state, type } = ticketFiles;
  const files = await db
    .select({ id, messageId, name, size, state, type })
    .from(ticketFiles)
    .where(eq(ticketFiles.ticketId, ticket.id));
  const byMessage = Map.groupBy(files, (file) => file.messageId);
  return { ticket, messages: messages.map((one) => ({ ...one, files: byMessage.get(one.id) ?? [] })) };
}

async function expectOwn(ctx: Ctx, accountId: string, id: string): Promise<Ticket> {
  const [ticket] = await ctx.store.db
    .select()
    .from(tickets)
    .where(and(eq(tickets.id, id), await isOwnedBy(ctx, accountId)));
  if (!ticket) throw new Refusal("ticket_unknown");
  return ticket;
}

async function isOwnedBy(ctx: Ctx, accountId: string) {
  const link = await linkOf(ctx, accountId);
  return ownedBy({ accountId, discordUserId: link?.discordUserId ?? null });
}

/** A transcript as plain text; the one for staff names the member's Discord id. */
export function transcriptText({ ticket, messages }: Transcript, reader: "member" | "staff"): string {
  const { closedAt, closedBy, closeReason } = ticket;
  const memberId = reader === "staff" ? ` (${ticket.discordUserId})` : "";
  const head = [
    `Ticket #${ticket.number} · ${topicName(ticket.topic)} · ${ticket.state}`,
    `Opened ${ticket.openedAt.toISOString()} by ${ticket.memberName}${memberId}`,
    ...(closedAt
      ? [`Closed ${closedAt.toISOString()} by ${closedBy}: ${indented(closeReason ?? "no reason")}`]
      : []),
    `Asked: ${indented(ticket.question)}`,
  ];
  const body = messages.flatMap((one) => [
    "",
    `[${one.at.toISOString()}] ${one.authorName} (${one.author})${one.deletedAt ? " [deleted]" : ""}`,
    `  ${indented(one.author === "shop" ? withoutMarkdown(one.content) : one.content)}`,
    ...one.before.map((text) => `  before: ${indented(text)}`),
    ...one.files.map(({ name, size, state }) => `  file: ${indented(name)} (${size} bytes, ${state})`),
  ]);
  return [...head, ...body, ""].join("\n");
}

/** Every line is indented, so no text can pass for the head of another message. */
const indented = (text: string): string => text.replace(/\r\n?|[\n\u2028\u2029]/g, "\n  ");

/** The shop's own messages without Discord's markup for bold, code blocks and timestamps. */
const withoutMarkdown = (text: string): string =>
  text
    .replace(/```\n?|\*\*/g, "")
    .replace(/<t:(\d+)(?::\w)?>/g, (_, seconds) => new Date(Number(seconds) * 1000).toISOString())
    .trim();
