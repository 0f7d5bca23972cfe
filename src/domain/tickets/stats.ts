import { and, count, eq, gt, isNotNull, sql } from "drizzle-orm";
import type { Ctx } from "@/core/context";
import type { Gauge } from "@/core/metrics";
import { tickets } from "../schema/tickets";

const month = 30 * 86_400_000;

/** How support is doing; times and stars are of the tickets of the last thirty days. */
export type Stats = {
  open: number;
  /** Of those, how many wait for staff. */
  waiting: number;
  opened: number;
  /** Half of the first answers came within so many milliseconds; null before there is one. */
  firstAnswerMilliseconds: number | null;
  stars: { count: number; average: number | null };
};

/** How many tickets are open, by who is to speak next. */
export async function openByTurn(ctx: Ctx): Promise<{ staff: number; member: number }> {
  const rows = await ctx.store.db
    .select({ turn: tickets.waitingFor, count: count() })
    .from(tickets)
    .where(eq(tickets.state, "open"))
    .groupBy(tickets.waitingFor);
  const of = (turn: string) => rows.find((row) => row.turn === turn)?.count ?? 0;
  return { staff: of("staff"), member: of("member") };
}

export async function statsOf(ctx: Ctx): Promise<Stats> {
  const { db } = ctx.store;
  const now = await openByTurn(ctx);
  const recent = gt(tickets.openedAt, new Date(ctx.now().getTime() - month));
  const [sum] = await db
    .select({
      opened: sql<number>`count(*)`,
      rated: sql<number>`count(${tickets.stars})`,
      average: sql<number | null>`avg(${tickets.stars})`,
    })
    .from(tickets)
    .where(recent);
  const answered = await db
    .select({ openedAt: tickets.openedAt, firstAnswerAt: tickets.firstAnswerAt })
    .from(tickets)
    .where(and(recent, isNotNull(tickets.firstAnswerAt)));
  const waits = answered
    .map(({ openedAt, firstAnswerAt }) => (firstAnswerAt?.getTime() ?? 0) - openedAt.getTime())
    .toSorted((one, other) => one - other);
  return {
    open: now.staff + now.member,
    waiting: now.staff,
    opened: sum?.opened ?? 0,
    firstAnswerMilliseconds: waits[Math.floor((waits.length - 1) / 2)] ?? null,
    stars: { count: sum?.rated ?? 0, average: sum?.average ?? null },
  };
}

export async function ticketGauges(ctx: Ctx): Promise<Gauge[]> {
  const open = await openByTurn(ctx);
  const help = "Tickets that are open, by who is to speak next.";
  const values = (["staff", "member"] as const).map((whom) => ({
    labels: { waiting_for: whom },
    value: open[whom],
  }));
  return [{ name: "latchkey_tickets_open", help, values }];
}
