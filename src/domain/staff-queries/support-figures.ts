import { and, desc, eq, gte, isNotNull, lt, sql } from "drizzle-orm";
import type { FiguresOfSupport } from "@/contract/wire/desk/figures";
import { second } from "@/contract/vocabulary/time";
import type { Actor } from "@/core/base/actor";
import type { Ctx } from "@/core/database/context";
import { bucketsOf, type TimeSpan, timeSpanOf } from "../figures/buckets";
import { type Days, rangeOf } from "../figures/figures";
import { inParts } from "../figures/in-parts";
import { authorize } from "../permissions";
import { ticketMessages, tickets } from "../schema/tickets";
import { topicName } from "../tickets/reading/topics";
import { namesOf, staffNamed, storedActorId } from "./actors";

const mostTickets = 20_000;
const mostComments = 50;

type OpenedTicket = {
  topic: string;
  wait: number | null;
  stars: number | null;
  answeredBy: string | null;
  at: number;
};
type ClosedTicket = { topic: string; wait: number; at: number };

/** How tickets were answered and closed in a range of days, by topic and by who answered first. */
export async function supportFigures(
  ctx: Ctx,
  asking: Actor | { actor: Actor },
  question: Days,
): Promise<FiguresOfSupport> {
  authorize(asking, "figures.read");
  const range = rangeOf(ctx, question);
  const stretch = timeSpanOf(range, range.tz);
  const opened = await openedIn(ctx, stretch);
  const closed = await closedIn(ctx, stretch);
  const topics = Map.groupBy(opened.rows, ({ topic }) => topic);
  const closings = Map.groupBy(closed.rows, ({ topic }) => topic);
  for (const topic of closings.keys()) if (!topics.has(topic)) topics.set(topic, []);
  const months = bucketsOf(range, "month", range.tz);
  const monthOf = ({ at }: { at: number }) => months.findLast(({ from }) => from <= at)?.date;
  const openedBy = Map.groupBy(opened.rows, monthOf);
  const closedBy = Map.groupBy(closed.rows, monthOf);
  return {
    ...range,
    totals: { ...workOf(opened.rows), ...closingsOf(closed.rows) },
    months: months.map(({ date: month }) => ({
      month,
      ...workOf(openedBy.get(month) ?? []),
      ...closingsOf(closedBy.get(month) ?? []),
    })),
    topics: mostFirst(
      [...topics].map(([topic, rows]) => ({
        topic: topicName(topic),
        ...workOf(rows),
        ...closingsOf(closings.get(topic) ?? []),
      })),
    ),
    people: await peopleOf(ctx, opened.rows),
    comments: await commentsIn(ctx, stretch),
    more: opened.more || closed.more,
  };
}

function openedIn(ctx: Ctx, stretch: TimeSpan) {
  const { id, topic, openedAt, firstAnswerAt, stars } = tickets;
  const answeredBy = ctx.store.db
    .select({ authorId: ticketMessages.authorId })
    .from(ticketMessages)
    .where(and(eq(ticketMessages.ticketId, id), sql`${ticketMessages.author} = 'staff'`))
    .orderBy(ticketMessages.at)
    .limit(1);
  const row = sql`json_array(${topic}, ${firstAnswerAt} - ${openedAt}, ${stars}, (${answeredBy}), ${openedAt})`;
  const read = { row, at: openedAt, which: undefined, most: mostTickets };
  return inParts(ctx, stretch, read, ([topic, wait, stars, answeredBy, at]: OpenedCells): OpenedTicket => ({
    topic,
    wait,
    stars,
    answeredBy,
    at,
  }));
}
type OpenedCells = [string, number | null, number | null, string | null, number];

function closedIn(ctx: Ctx, stretch: TimeSpan) {
  const { topic, openedAt, closedAt, state } = tickets;
  const row = sql`json_array(${topic}, ${closedAt} - ${openedAt}, ${closedAt})`;
  const read = { row, at: closedAt, which: eq(state, "closed"), most: mostTickets };
  return inParts(ctx, stretch, read, ([topic, wait, at]: [string, number, number]): ClosedTicket => ({
    topic,
    wait,
    at,
  }));
}

async function commentsIn({ store: { db } }: Ctx, { from, until }: TimeSpan) {
  const { id, number, openedAt, stars, ratingComment } = tickets;
  const rows = await db
    .select({ id, number, openedAt, stars: sql<number>`${stars}`, comment: sql<string>`${ratingComment}` })
    .from(tickets)
    .where(
      and(
        gte(openedAt, new Date(from)),
        lt(openedAt, new Date(until)),
        isNotNull(ratingComment),
        isNotNull(stars),
      ),
    )
    .orderBy(desc(openedAt), desc(id))
    .limit(mostComments);
  return rows.map((row) => ({
    ticket: { id: row.id, number: row.number },
    stars: row.stars,
    comment: row.comment,
    opened_at: row.openedAt.toISOString(),
  }));
}

function workOf(rows: OpenedTicket[]) {
  const waits: number[] = [];
  let [count, sum] = [0, 0];
  for (const { wait, stars } of rows) {
    if (wait !== null) waits.push(wait);
    if (stars === null) continue;
    count += 1;
    sum += stars;
  }
  return {
    opened: rows.length,
    first_answer: waitsOf(waits),
    stars: { count, average: count === 0 ? null : sum / count },
  };
}

const closingsOf = (rows: ClosedTicket[]) => ({
  closed: rows.length,
  closing: waitsOf(rows.map(({ wait }) => wait)),
});

/** By nearest rank, in whole seconds. */
function waitsOf(milliseconds: number[]) {
  if (milliseconds.length === 0) return null;
  const sorted = Float64Array.from(milliseconds).toSorted();
  const at = (share: number) =>
    Math.round(Math.max(0, sorted[Math.ceil(sorted.length * share) - 1] ?? 0) / second);
  return { median: at(0.5), p90: at(0.9) };
}

async function peopleOf(ctx: Ctx, rows: OpenedTicket[]): Promise<FiguresOfSupport["people"]> {
  const answered = rows.filter(({ answeredBy }) => answeredBy !== null);
  const people = Map.groupBy(answered, ({ answeredBy }) => storedActorId(answeredBy ?? ""));
  const names = await namesOf(ctx, [...people.keys()]);
  return mostFirst([...people].map(([id, own]) => ({ by: staffNamed(id, names), ...workOf(own) })));
}

const mostFirst = <Row extends { opened: number }>(rows: Row[]): Row[] =>
  rows.toSorted((one, other) => other.opened - one.opened);
