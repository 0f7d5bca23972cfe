import { and, desc, eq, isNull, type SQL } from "drizzle-orm";
import type { Actor } from "@/core/base/actor";
import type { Ctx } from "@/core/database/context";
import { olderThan, type Place } from "@/core/database/pages";
import { Refusal } from "@/core/base/refusal";
import { linkOf } from "../../discord/links";
import type { BuildStore } from "../../releases/store";
import { authorize } from "../../permissions";
import { ticketFiles, tickets } from "../../schema/tickets";
import { ownedBy, type Ticket } from "./queries";

type Page = { after: Place | null; most: number };

/**
 * A page of an account's tickets, newest first: those opened while the member was connected to it, and those that the
 * member opened without an account. Reads each kind in the order of an index.
 */
export async function ownTickets(ctx: Ctx, accountId: string, { after, most }: Page): Promise<Ticket[]> {
  const discordUserId = await discordUserOf(ctx, accountId);
  const newest = (which: SQL | undefined) =>
    ctx.store.db
      .select()
      .from(tickets)
      .where(and(which, olderThan(after, tickets.openedAt, tickets.id)))
      .orderBy(desc(tickets.openedAt), desc(tickets.id))
      .limit(most);
  const [owned, unowned] = await Promise.all([
    newest(eq(tickets.accountId, accountId)),
    discordUserId === null
      ? []
      : newest(and(isNull(tickets.accountId), eq(tickets.discordUserId, discordUserId))),
  ]);
  return [...owned, ...unowned].toSorted(newestFirst).slice(0, most);
}

const newestFirst = (one: Ticket, other: Ticket): number =>
  other.openedAt.getTime() - one.openedAt.getTime() || (other.id < one.id ? -1 : 1);

/** A ticket of the account. Refuses with `ticket_unknown`. */
export async function ownTicket(ctx: Ctx, accountId: string, id: string): Promise<Ticket> {
  const discordUserId = await discordUserOf(ctx, accountId);
  const [ticket] = await ctx.store.db
    .select()
    .from(tickets)
    .where(and(eq(tickets.id, id), ownedBy({ accountId, discordUserId })));
  if (!ticket) throw new Refusal("ticket_unknown");
  return ticket;
}

/** A file sent in one of the account's tickets. Refuses with `ticket_unknown`. */
export async function ownFile(
  { ctx, files }: { ctx: Ctx; files: BuildStore },
  accountId: string,
  at: FilePlace,
) {
  const ticket = await ownTicket(ctx, accountId, at.ticketId);
  return fileOfTicket({ ctx, files }, { ...at, ticketId: ticket.id });
}

type FilePlace = { ticketId: string; fileId: string };

/** A file sent in any ticket, for staff. Refuses with `ticket_unknown`. */
export function ticketFileForStaff(shop: { ctx: Ctx; files: BuildStore }, actor: Actor, at: FilePlace) {
  authorize(actor, "ticket.read");
  return fileOfTicket(shop, at);
}

async function fileOfTicket(
  { ctx, files }: { ctx: Ctx; files: BuildStore },
  { ticketId, fileId }: FilePlace,
) {
  const [file] = await ctx.store.db
    .select()
    .from(ticketFiles)
    .where(and(eq(ticketFiles.id, fileId), eq(ticketFiles.ticketId, ticketId)));
  const body = file?.state === "kept" ? await bodyOf(files, file) : null;
  if (!file || !body) throw new Refusal("ticket_unknown");
  return { name: file.name, type: file.type ?? "application/octet-stream", body };
}

/** Null if the store has lost the file, as after a restore without the folder of files. */
async function bodyOf(files: BuildStore, { address }: typeof ticketFiles.$inferSelect) {
  const stored = address ? await files.find(address) : null;
  return stored && stored.body(0, stored.size);
}

const discordUserOf = async (ctx: Ctx, accountId: string): Promise<string | null> =>
  (await linkOf(ctx, accountId))?.discordUserId ?? null;
