import { asc, count, desc, eq, and, inArray, type SQL } from "drizzle-orm";
import type { Actor } from "@/core/base/actor";
import type { Ctx } from "@/core/database/context";
import { authorize } from "../../permissions";
import { tickets } from "../../schema/tickets";
import { isOpen, newestFirst, type Statistics, type Ticket, ticketStatistics } from "./queries";
import { transcript } from "./transcript";

const pageSize = 10;

/** A page of a list, which has at least one page; a page past the end gives the last. */
export type TicketPage = { tickets: Ticket[]; page: number; pages: number };

/** Open tickets: those waiting for staff first, longest waiting first. */
export const openPage = (ctx: Ctx, actor: Actor, page: number): Promise<TicketPage> =>
  pageOf(ctx, actor, page, {
    // every open ticket waits for staff or the member; SQLite uses the index in this order if both are listed
    where: and(isOpen, inArray(tickets.waitingFor, ["staff", "member"])),
    order: [desc(tickets.waitingFor), asc(tickets.waitingSince), asc(tickets.id)],
  });

/** A member's tickets, newest first. */
export const memberPage = (
  ctx: Ctx,
  actor: Actor,
  page: number,
  discordUserId: string,
): Promise<TicketPage> =>
  pageOf(ctx, actor, page, { where: eq(tickets.discordUserId, discordUserId), order: newestFirst });

async function pageOf(
  ctx: Ctx,
  actor: Actor,
  wanted: number,
  { where, order }: { where: SQL | undefined; order: SQL[] },
) {
  authorize(actor, "ticket.read");
  const { db } = ctx.store;
  const [all] = await db.select({ count: count() }).from(tickets).where(where);
  const pages = Math.max(1, Math.ceil((all?.count ?? 0) / pageSize));
  const page = Math.min(wanted, pages);
  const found = await db
    .select()
    .from(tickets)
    .where(where)
    .orderBy(...order)
    .limit(pageSize)
    .offset((page - 1) * pageSize);
  return { tickets: found, page, pages };
}

/** Support's answer times and ratings. */
export function statisticsForStaff(ctx: Ctx, actor: Actor): Promise<Statistics> {
  authorize(actor, "ticket.read");
  return ticketStatistics(ctx);
}

/** The whole conversation of a ticket, notes included. */
export function transcriptForStaff(ctx: Ctx, actor: Actor, ticket: Ticket): AsyncGenerator<string> {
  authorize(actor, "ticket.read");
  return transcript(ctx, ticket, "staff");
}
