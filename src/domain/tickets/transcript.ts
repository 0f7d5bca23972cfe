import { and, asc, desc, eq } from "drizzle-orm";
import type { Ctx } from "@/core/context";
import { Refusal } from "@/core/refusal";
import { linkOf } from "../community/change-link";
import type { BuildStore } from "../releases/store";
import { ownedBy, type Ticket } from "./queries";
import { ticketFiles, ticketMessages, tickets } from "../schema/tickets";

export type Message = typeof ticketMessages.$inferSelect;
/** A file without its bytes. */
export type File = Pick<
  typeof ticketFiles.$inferSelect,
  "id" | "messageId" | "name" | "size" | "state" | "type"
>;
export type Transcript = { ticket: Ticket; messages: (Message & { files: File[] })[] };

/** The account's tickets, newest first. */
export async function ownTickets(ctx: Ctx, accountId: string): Promise<Ticket[]> {
  return ctx.store.db
    .select()
    .from(tickets)
    .where(await mine(ctx, accountId))
    .orderBy(desc(tickets.number))
    .limit(200);
}

/** One of them with all that was said, staff's notes left out. Refuses with `ticket_unknown`. */
export async function ownTranscript(ctx: Ctx, accountId: string, id: string): Promise<Transcript> {
  return memberTranscript(ctx, await expectOwn(ctx, accountId, id));
}

/** All that was said in a ticket as its member reads it. */
export const memberTranscript = async (ctx: Ctx, ticket: Ticket): Promise<Transcript> =>
  withoutNotes(await transcriptOf(ctx, ticket));

/** All of them, whole, staff's notes left out, for who takes their data along. */
export async function ownTranscripts(ctx: Ctx, accountId: string): Promise<Transcript[]> {
  const all: Transcript[] = [];
  for (const ticket of await ownTickets(ctx, accountId)) {
    all.push(await memberTranscript(ctx, ticket));
  }
  return all;
}

const withoutNotes = ({ ticket, messages }: Transcript): Transcript => ({
  ticket,
  messages: messages.filter(({ author }) => author !== "note"),
});

/** A file of one of them. Refuses with `ticket_unknown`. */
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

/** Null where the store lost it, as after a restore without the folder of files. */
async function bodyOf(files: BuildStore, { bytes, address }: typeof ticketFiles.$inferSelect) {
  if (bytes) return new Uint8Array(bytes);
  const stored = address ? await files.find(address) : null;
  return stored && stored.body(0, stored.size);
}

/** All that was said in a ticket, with staff's notes. */
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
    .where(and(eq(tickets.id, id), await mine(ctx, accountId)));
  if (!ticket) throw new Refusal("ticket_unknown");
  return ticket;
}

async function mine(ctx: Ctx, accountId: string) {
  const link = await linkOf(ctx, accountId);
  return ownedBy({ accountId, discordUserId: link?.discordUserId ?? null });
}
