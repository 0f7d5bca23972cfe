import { desc, sql } from "drizzle-orm";
import type { Ctx } from "../database/context";
import type { Gauge } from "../log/metrics";
import { hasFailed, isStuck, outbox } from "../database/schema";

/** Waiting jobs, those with the most failures first. */
export const waitingWork = (ctx: Ctx, limit: number) =>
  ctx.store.db
    .select({
      topic: outbox.topic,
      subject: outbox.subject,
      attempts: outbox.attempts,
      createdAt: outbox.createdAt,
      dueAt: outbox.dueAt,
      lastError: outbox.lastError,
    })
    .from(outbox)
    .orderBy(desc(outbox.attempts), outbox.createdAt)
    .limit(limit);

/** Stops counting here: a longer queue changes no decision, and counting it would take long. */
const mostCounted = 10_000;

type TopicQueue = { topic: string; waiting: number; failing: number; stuck: number; oldest: number };

/** Each topic's waiting jobs: how many, how many of them have failed, and since when the oldest has waited. */
export async function queues({ store: { db } }: Ctx): Promise<TopicQueue[]> {
  // steps from one topic to the next by the index instead of reading all jobs
  const rows = await db.values<[string, number, number, number, number]>(sql`
    WITH RECURSIVE topics (name) AS (
      SELECT min(topic) FROM outbox
      UNION ALL
      SELECT (SELECT min(topic) FROM outbox WHERE topic > name) FROM topics WHERE name IS NOT NULL
    )
    SELECT name AS topic, ${counted()} AS waiting, ${counted(hasFailed)} AS failing, ${counted(isStuck)} AS stuck,
      (SELECT min(created_at) FROM outbox WHERE topic = name) AS oldest
    FROM topics WHERE name IS NOT NULL`);
  return rows.map(([topic, waiting, failing, stuck, oldest]) => ({ topic, waiting, failing, stuck, oldest }));
}

/** Jobs of a newer release whose topics are not in `known`: they wait until that release runs. */
export const unknownQueues = async (ctx: Ctx, known: readonly string[]): Promise<TopicQueue[]> =>
  (await queues(ctx)).filter(({ topic }) => !known.includes(topic));

const counted = (condition = sql`true`) =>
  sql`(SELECT count(*) FROM (SELECT 1 FROM outbox WHERE topic = name AND ${condition} LIMIT ${mostCounted}))`;

/** How many jobs are waiting, for how long, and how many keep failing; `laneOf` maps a topic's name to its lane. */
export async function queueGauges(ctx: Ctx, laneOf: (topic: string) => string): Promise<Gauge[]> {
  const rows = await queues(ctx);
  const by = (name: string, help: string, value: (row: TopicQueue) => number): Gauge => ({
    name,
    help,
    values: rows.map((row) => ({ labels: { topic: row.topic }, value: value(row) })),
  });
  const lanes = Map.groupBy(rows, ({ topic }) => laneOf(topic));
  const age = ({ oldest }: TopicQueue) => ctx.now().getTime() - oldest;
  return [
    by(
      "latchkey_outbox_waiting",
      `Deliveries that wait, counted up to ${mostCounted}.`,
      (row) => row.waiting,
    ),
    by("latchkey_outbox_failing", "Deliveries that failed at least once.", (row) => row.failing),
    by("latchkey_outbox_stuck", "Deliveries that failed again and again.", (row) => row.stuck),
    {
      name: "latchkey_outbox_oldest_seconds",
      help: "How long the oldest delivery of each lane has waited.",
      values: Array.from(lanes, ([lane, own]) => ({
        labels: { lane },
        value: Math.max(0, ...own.map(age)) / 1000,
      })),
    },
  ];
}
