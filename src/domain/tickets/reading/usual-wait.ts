import { and, desc, gt, isNotNull } from "drizzle-orm";
import { support } from "@/brand/tickets";
import { day, hour } from "@/contract/vocabulary/time";
import type { Ctx } from "@/core/database/context";
import { tickets } from "../../schema/tickets";

/** Fewer first answers say nothing about the next one. */
const leastAnswers = 10;
/** The newest of a busy month. */
const mostAnswers = 1_000;
const [countedFor, heldFor] = [30 * day, hour];

/** Reads at most once an hour within how many of support's hours a first answer usually comes; null after too few. */
export function usualWaitReader(ctx: Ctx): () => Promise<number | null> {
  let held: { hours: number | null; until: number } = { hours: null, until: 0 };
  return async () => {
    const now = ctx.now().getTime();
    if (now >= held.until) held = { hours: usualHours(await firstAnswers(ctx)), until: now + heldFor };
    return held.hours;
  };
}

type Wait = { from: number; until: number };

async function firstAnswers(ctx: Ctx): Promise<Wait[]> {
  const { openedAt, firstAnswerAt } = tickets;
  const since = new Date(ctx.now().getTime() - countedFor);
  const rows = await ctx.store.db
    .select({ openedAt, firstAnswerAt })
    .from(tickets)
    .where(and(gt(openedAt, since), isNotNull(firstAnswerAt)))
    .orderBy(desc(openedAt))
    .limit(mostAnswers);
  return rows.map((row) => ({ from: row.openedAt.getTime(), until: row.firstAnswerAt?.getTime() ?? 0 }));
}

type Hours = { timezone: string; from: number; to: number; days: readonly number[] };

/** The median of these waits in whole hours, rounded up, of which only the time within support's hours counts. */
export function usualHours(waits: readonly Wait[], hours: Hours = support.hours): number | null {
  if (waits.length < leastAnswers) return null;
  const first = Math.min(...waits.map(({ from }) => from));
  const open = openings({ from: first, until: Math.max(...waits.map(({ until }) => until)) }, hours);
  const lengths = waits.map((wait) => open.reduce((sum, one) => sum + overlap(wait, one), 0));
  const median = lengths.toSorted((one, other) => one - other)[Math.ceil(lengths.length / 2) - 1] ?? 0;
  return Math.max(1, Math.ceil(median / hour));
}

const overlap = (one: Wait, other: Wait): number =>
  Math.max(0, Math.min(one.until, other.until) - Math.max(one.from, other.from));

/** When support is there, day by day. */
function openings({ from, until }: Wait, { timezone, days, ...hours }: Hours): Wait[] {
  const dateAt = (at: number) =>
    Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timezone).toPlainDate();
  // 24 is the midnight after it
  const at = (date: Temporal.PlainDate, clock: number) =>
    date
      .add({ days: Math.floor(clock / 24) })
      .toZonedDateTime({ timeZone: timezone, plainTime: new Temporal.PlainTime(clock % 24) })
      .epochMilliseconds;
  const last = dateAt(until);
  const open: Wait[] = [];
  for (let date = dateAt(from); Temporal.PlainDate.compare(date, last) <= 0; date = date.add({ days: 1 }))
    if (days.includes(date.dayOfWeek)) open.push({ from: at(date, hours.from), until: at(date, hours.to) });
  return open;
}
