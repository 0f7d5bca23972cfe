import { and, asc, desc, eq, gt, inArray, isNull, lte, notExists, or, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { hour } from "@/contract/vocabulary/time";
import { withoutIndex } from "../database/without-index";
import type { Built, Write } from "../database/commit";
import type { Ctx } from "../database/context";
import type { Payload, Topic } from "../database/topic";
import { preparedWrite } from "../database/prepared";
import { hasFailed, isStuck, outbox } from "../database/schema";
import { startsWith } from "../database/starts-with";
import { currentTrace } from "../log/trace";
import { wakeWorkers } from "../database/wake";
import type { Gauge } from "../log/metrics";
import type { StoredJob } from "./job-handlers";

/** How far jobs for which a person is waiting run ahead of the rest. */
const priorityMilliseconds = hour;

/**
 * With `priority`, by default the topic's own, a job runs before jobs without it from the last hour. A delay postpones
 * its first try.
 */
type NewJob<T extends Topic> = {
  topic: T;
  subject: string;
  priority?: boolean;
  delayMilliseconds?: number;
} & (null extends Payload<T> ? { payload?: Payload<T> } : { payload: Payload<T> });

/** What enqueuing a waiting job again changes. */
const renewed = {
  generation: sql`${outbox.generation} + 1`,
  payload: sql`excluded.payload`,
  request: sql`excluded.request`,
  attempts: 0,
  // a claimed job keeps its lease; the new generation makes it run again
  dueAt: sql`CASE WHEN ${outbox.lease} IS NULL THEN excluded.due_at ELSE ${outbox.dueAt} END`,
};

/**
 * The write that enqueues a job, for the commit that makes it necessary. It replaces one of the same topic and subject that
 * waits.
 */
export function enqueue<T extends Topic>(
  ctx: Ctx,
  { topic, subject, payload, priority = topic.priority, delayMilliseconds = 0 }: NewJob<T>,
): Write {
  const now = ctx.now();
  return enqueuingWrite(
    topic,
    insert(ctx.store, {
      topic: topic.name,
      subject,
      payload: payload ? JSON.stringify(payload) : null,
      key: keyOf(topic, subject),
      createdAt: now,
      dueAt: new Date(now.getTime() + delayMilliseconds - (priority ? priorityMilliseconds : 0)),
      request: currentTrace(),
    }),
  );
}

/** Names the topic of the jobs that a write enqueues, so that its commit wakes the worker for them. */
const enqueuingWrite = (posts: Topic, query: Built): Write => ({ toSQL: () => query.toSQL(), posts });

const keyOf = ({ name }: Topic, subject: string) => `${name}:${subject}`;

/** Enqueues a job for each row of a query, which runs within the commit; all have the same payload. */
export function enqueueEach<T extends Topic>(
  { store: { db }, now }: Ctx,
  topic: T,
  {
    subject,
    from,
    where,
    payload,
  }: { subject: SQLiteColumn; from: SQLiteTable; where: SQL | undefined } & (null extends Payload<T>
    ? { payload?: Payload<T> }
    : { payload: Payload<T> }),
): Write {
  const at = sql`${sql.param(now(), outbox.createdAt)}`;
  const query = db
    .insert(outbox)
    .select(
      // in the order of the table's columns
      sql`SELECT ${`${topic.name}:`} || ${subject}, ${topic.name}, ${subject}, ${payload ? JSON.stringify(payload) : null}, 1, 0, ${at}, ${at}, NULL, NULL, ${currentTrace()} FROM ${from} WHERE ${where}`,
    )
    .onConflictDoUpdate({ target: outbox.key, set: renewed });
  return enqueuingWrite(topic, query);
}

const insert = preparedWrite((db) =>
  db
    .insert(outbox)
    .values({
      key: sql.placeholder("key"),
      topic: sql.placeholder("topic"),
      subject: sql.placeholder("subject"),
      payload: sql.placeholder("payload"),
      createdAt: sql.placeholder("createdAt"),
      dueAt: sql.placeholder("dueAt"),
      request: sql.placeholder("request"),
    })
    .onConflictDoUpdate({ target: outbox.key, set: renewed }),
);

/** Jobs that keep failing, longest waiting first. */
export const stuckJobs = (ctx: Ctx) =>
  ctx.store.db
    .select({
      key: outbox.key,
      topic: outbox.topic,
      subject: outbox.subject,
      attempts: outbox.attempts,
      since: outbox.createdAt,
      dueAt: outbox.dueAt,
      lastError: outbox.lastError,
    })
    .from(outbox)
    .where(isStuck)
    .orderBy(asc(outbox.createdAt))
    .limit(100);

/** The write that puts a job back as it was stored, to be tried now; one with its key that waits already stays. */
export const requeue = (
  ctx: Ctx,
  job: Pick<StoredJob, "key" | "topic" | "subject" | "payload" | "createdAt">,
): Write =>
  ctx.store.db
    .insert(outbox)
    .values({ ...job, dueAt: ctx.now() })
    .onConflictDoNothing();

/** The job waiting for a subject, or null. */
export async function jobOf(ctx: Ctx, topic: Topic, subject: string): Promise<StoredJob | null> {
  const [job] = await ctx.store.db
    .select()
    .from(outbox)
    .where(eq(outbox.key, keyOf(topic, subject)));
  return job ?? null;
}

export async function jobWithKey(ctx: Ctx, key: string): Promise<StoredJob | null> {
  const [job] = await ctx.store.db.select().from(outbox).where(eq(outbox.key, key));
  return job ?? null;
}

/** As a condition: the job has this key, and no worker is trying it. */
const isIdle = ({ now }: Ctx, key: string) =>
  and(eq(outbox.key, key), withoutIndex(or(isNull(outbox.lease), lte(outbox.dueAt, now()))));

/** The write that makes a job due now, unless it is being tried. */
export const makeDueNow = (ctx: Ctx, key: string): Write =>
  ctx.store.db.update(outbox).set({ dueAt: ctx.now(), lease: null }).where(isIdle(ctx, key));

/** The write that gives a job up, unless it is being tried. */
export const dropJob = (ctx: Ctx, key: string): Write => ctx.store.db.delete(outbox).where(isIdle(ctx, key));

/** A condition for a write: no job is waiting for the subject. */
export const noJobWaits = (ctx: Ctx, topic: Topic, subject: string): SQL =>
  notExists(
    ctx.store.db
      .select({ key: outbox.key })
      .from(outbox)
      .where(eq(outbox.key, keyOf(topic, subject))),
  );

/** Local writes are synchronous: more jobs than this in one would hold up every request. */
export const maxJobsPerWrite = 250;

/**
 * Makes these jobs due now, whatever their delay, because the cause of their failures is gone; wakes the worker for
 * them.
 */
export async function retryNow(ctx: Ctx, topics: readonly Topic[]): Promise<void> {
  const { db } = ctx.store;
  const names = topics.map(({ name }) => name);
  for (let hurried = maxJobsPerWrite; hurried === maxJobsPerWrite; await Bun.sleep(0)) {
    const now = ctx.now();
    const delayed = db
      .select({ key: outbox.key })
      .from(outbox)
      .where(and(inArray(outbox.topic, names), isNull(outbox.lease), gt(outbox.dueAt, now)))
      .limit(maxJobsPerWrite);
    const done = await db.update(outbox).set({ dueAt: now }).where(inArray(outbox.key, delayed));
    hurried = done.rowsAffected;
  }
  wakeWorkers(ctx.store, topics);
}

/**
 * Makes jobs that failed due now, and with `deferred` those that only wait, at most `most` of those whose topic begins
 * so, first the one that would wait least. Resolves to how many; the worker sees them at its next poll.
 */
export async function retryFailing(
  ctx: Ctx,
  prefix: string,
  { most = Number.POSITIVE_INFINITY, deferred = false } = {},
): Promise<number> {
  const { db } = ctx.store;
  let count = 0;
  for (let found = maxJobsPerWrite; found === maxJobsPerWrite && count < most; await Bun.sleep(0)) {
    const now = ctx.now();
    const failing = await db
      .select({ key: outbox.key, dueAt: outbox.dueAt })
      .from(outbox)
      .where(
        and(
          startsWith(outbox.topic, prefix),
          deferred ? undefined : hasFailed,
          isNull(outbox.lease),
          gt(outbox.dueAt, now),
        ),
      )
      .limit(maxJobsPerWrite);
    found = failing.length;
    const next = failing.toSorted((one, other) => one.dueAt.getTime() - other.dueAt.getTime());
    const keys = next.slice(0, most - count).map(({ key }) => key);
    if (keys.length === 0) break;
    const free = and(inArray(outbox.key, keys), isNull(outbox.lease));
    const done = await db.update(outbox).set({ dueAt: now }).where(free);
    count += done.rowsAffected;
  }
  return count;
}

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
const maxCounted = 10_000;

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
    SELECT name AS topic, ${cappedCount()} AS waiting, ${cappedCount(hasFailed)} AS failing, ${cappedCount(isStuck)} AS stuck,
      (SELECT min(created_at) FROM outbox WHERE topic = name) AS oldest
    FROM topics WHERE name IS NOT NULL`);
  return rows.map(([topic, waiting, failing, stuck, oldest]) => ({ topic, waiting, failing, stuck, oldest }));
}

/** Jobs of a newer release whose topics are not in `known`: they wait until that release runs. */
export const unknownQueues = async (ctx: Ctx, known: readonly string[]): Promise<TopicQueue[]> =>
  (await queues(ctx)).filter(({ topic }) => !known.includes(topic));

const cappedCount = (condition = sql`true`) =>
  sql`(SELECT count(*) FROM (SELECT 1 FROM outbox WHERE topic = name AND ${condition} LIMIT ${maxCounted}))`;

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
    by("latchkey_outbox_waiting", `Deliveries that wait, counted up to ${maxCounted}.`, (row) => row.waiting),
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
