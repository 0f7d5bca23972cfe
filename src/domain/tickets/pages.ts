import { asc, count, desc, eq, type SQL } from "drizzle-orm";
import type { Ctx } from "@/core/context";
import type { Ticket } from "./queries";
import { tickets } from "../schema/tickets";

/** So many tickets stand on a page. */
const pageSize = 10;

/** One page of a list; `pages` is at least one, and `page` the last where a later one was asked for. */
export type TicketPage = { tickets: Ticket[]; page: number; pages: number };

/** Those that are open: first those that wait for staff, and of them the longest waiting. */
export const openPage = (ctx: Ctx, page: number): Promise<TicketPage> =>
  pageOf(ctx, page, {
    where: eq(tickets.state, "open"),
    order: [desc(tickets.waitingFor), asc(tickets.waitingSince), asc(tickets.number)],
  });

/** All of a member's, newest first. */
export const memberPage = (ctx: Ctx, page: number, discordUserId: string): Promise<TicketPage> =>
  pageOf(ctx, page, { where: eq(tickets.discordUserId, discordUserId), order: [desc(tickets.number)] });

async function pageOf(ctx: Ctx, wanted: number, { where, order }: { where: SQL; order: SQL[] }) {
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
