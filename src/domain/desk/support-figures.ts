import { and, desc, eq, gte, lt, sql } from "drizzle-orm";
import type { FiguresOfSupport } from "@/contract/desk/figures";
import { second } from "@/contract/time";
import type { Actor } from "@/core/actor";
import type { Ctx } from "@/core/context";
import { everyPage, olderThan, type Place } from "@/core/pages";
import { stretchOf } from "../figures/by-offer-and-code";
import { type Range, rangeOf } from "../figures/figures";
import { authorize } from "../permissions";
import { ticketMessages, tickets } from "../schema/tickets";
import { topicName } from "../tickets/topics";
import { namesOf, staffNamed, storedActorId } from "./actors";

/** How many tickets are read at most, and how many in one statement. */
const mostTickets = 20_000;
const together = 250;
const mostComments = 50;

type Stretch = { from: number; until: number };
type Opened = {
  id: string;
  number: number;
  topic: string;
  openedAt: Date;
  firstAnswerAt: Date | null;
  stars: number | null;
  comment: string | null;
  answeredBy: string | null;
};
type Closed = { topic: string; openedAt: Date; closedAt: Date };

/** How tickets were answered and closed in a range of days, by topic and by who answered first. */
export async function supportFigures(
  ctx: Ctx,
  asking: Actor | { actor: Actor },
  question: Pick<Range, "from" | "to" | "tz">,
): Promise<FiguresOfSupport> {
  authorize(asking, "figures.read");
  const { from, to, tz } = await rangeOf(ctx, question);
  const stretch = stretchOf({ from, to, tz });
  const opened = await openedIn(ctx, stretch);
  const closed = await closedIn(ctx, stretch);
  const topics = grouped(opened.rows, ({ topic }) => topic);
  const closings = grouped(closed.rows, ({ topic }) => topic);
  for (const topic of closings.keys()) if (!topics.has(topic)) topics.set(topic, []);
  return {
    from,
    to,
    tz,
    totals: { ...workOf(opened.rows), ...closingsOf(closed.rows) },
    topics: mostFirst(
      [...topics].map(([topic, rows]) => ({
        topic: topicName(topic),
        ...workOf(rows),
        ...closingsOf(closings.get(topic) ?? []),
      })),
    ),
    people: await peopleOf(ctx, opened.rows),
    comments: commentsOf(opened.rows),
    more: opened.more || closed.more,
  };
}

async function openedIn({ store: { db } }: Ctx, { from, until }: Stretch) {
  const answeredBy = sql<string | null>`(${db
    .select({ authorId: ticketMessages.authorId })
    .from(ticketMessages)
    .where(and(eq(ticketMessages.ticketId, tickets.id), eq(ticketMessages.author, "staff")))
    .orderBy(ticketMessages.at)
    .limit(1)})`;
  const { id, number, topic, openedAt, firstAnswerAt, stars, ratingComment: comment } = tickets;
  const columns = { id, number, topic, openedAt, firstAnswerAt, stars, comment, answeredBy };
  const read = (after: Place | null): Promise<Opened[]> =>
    db
      .select(columns)
      .from(tickets)
      .where(
        and(gte(openedAt, new Date(from)), lt(openedAt, new Date(until)), olderThan(after, openedAt, id)),
      )
      .orderBy(desc(openedAt), desc(id))
      .limit(together);
  return allPages(read, (row) => ({ at: row.openedAt, id: row.id }));
}

async function closedIn({ store: { db } }: Ctx, { from, until }: Stretch) {
  const { id, topic, openedAt, closedAt, state } = tickets;
  const read = (after: Place | null): Promise<(Closed & { id: string })[]> =>
    db
      .select({ id, topic, openedAt, closedAt: sql<Date>`${closedAt}`.mapWith(closedAt) })
      .from(tickets)
      .where(
        and(
          eq(state, "closed"),
          gte(closedAt, new Date(from)),
          lt(closedAt, new Date(until)),
          olderThan(after, closedAt, id),
        ),
      )
      .orderBy(desc(closedAt), desc(id))
      .limit(together);
  return allPages(read, (row) => ({ at: row.closedAt, id: row.id }));
}

/** The rows of all pages, the newest first, up to {@link mostTickets}. */
async function allPages<Row>(
  read: (after: Place | null) => Promise<Row[]>,
  placeOf: (row: Row) => Place,
): Promise<{ rows: Row[]; more: boolean }> {
  const rows: Row[] = [];
  for await (const page of everyPage(read, placeOf, together)) {
    rows.push(...page);
    if (rows.length >= mostTickets) return { rows, more: true };
  }
  return { rows, more: false };
}

function workOf(rows: Opened[]) {
  const rated = rows.flatMap(({ stars }) => stars ?? []);
  const sum = rated.reduce((total, stars) => total + stars, 0);
  return {
    opened: rows.length,
    first_answer: waitsOf(
      rows.flatMap(({ openedAt, firstAnswerAt }) =>
        firstAnswerAt ? firstAnswerAt.getTime() - openedAt.getTime() : [],
      ),
    ),
    stars: { count: rated.length, average: rated.length === 0 ? null : sum / rated.length },
  };
}

const closingsOf = (rows: Closed[]) => ({
  closed: rows.length,
  closing: waitsOf(rows.map(({ openedAt, closedAt }) => closedAt.getTime() - openedAt.getTime())),
});

/** By nearest rank, in whole seconds. */
function waitsOf(milliseconds: number[]) {
  if (milliseconds.length === 0) return null;
  const sorted = milliseconds.toSorted((one, other) => one - other);
  const at = (share: number) =>
    Math.round(Math.max(0, sorted[Math.ceil(sorted.length * share) - 1] ?? 0) / second);
  return { median: at(0.5), p90: at(0.9) };
}

async function peopleOf(ctx: Ctx, rows: Opened[]): Promise<FiguresOfSupport["people"]> {
  const answered = rows.flatMap((row) =>
    row.answeredBy === null ? [] : { ...row, by: storedActorId(row.answeredBy) },
  );
  const people = grouped(answered, ({ by }) => by);
  const names = await namesOf(ctx, [...people.keys()]);
  return mostFirst([...people].map(([id, own]) => ({ by: staffNamed(id, names), ...workOf(own) })));
}

const commentsOf = (rows: Opened[]) =>
  rows
    .flatMap(({ id, number, stars, comment, openedAt }) =>
      stars !== null && comment !== null
        ? { ticket: { id, number }, stars, comment, opened_at: openedAt.toISOString() }
        : [],
    )
    .slice(0, mostComments);

function grouped<Row>(rows: Row[], by: (row: Row) => string): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(by(row));
    if (group) group.push(row);
    else groups.set(by(row), [row]);
  }
  return groups;
}

const mostFirst = <Row extends { opened: number }>(rows: Row[]): Row[] =>
  rows.toSorted((one, other) => other.opened - one.opened);
