import {
  and,
  asc,
  eq,
  gt,
  inArray,
  isNotNull,
  isNull,
  lte,
  notExists,
  notInArray,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { hour, minute } from "@/contract/time";
import { type Built, commit, type Write } from "./commit";
import type { Ctx } from "./context";
import { failureOf } from "./failure";
import { reasonOf } from "./log";
import {
  InvalidPayload,
  parsePayload,
  type Payload,
  type PlainTopic,
  type TopicOrTemplate,
  type PayloadOf,
  type Topic,
} from "./outbox-topics";
import { preparedWrite, placeholderFor } from "./prepared-write";
import { isStuck, outbox, stuckAfterFailures } from "./schema";
import { currentTrace } from "./trace";
import { wakeWorkers } from "./wake";

/** A job as it is stored. */
export type StoredJob = typeof outbox.$inferSelect;

/** A job as its handler reads it. */
export type Job<T extends Topic = Topic> = Omit<StoredJob, "topic" | "payload"> & {
  topic: T;
  payload: Payload<T>;
};

/**
 * Does one job outside the process. It may be called again after it succeeded (if a crash kept the row), so it must
 * be safe to repeat. The writes it returns are part of the commit that removes the job. If it throws, the job is
 * retried later.
 */
export type Handler<T extends Topic = Topic> = (job: Job<T>) => Promise<Write[]>;

/**
 * Does many jobs in one call, with a pause between calls. If several topics share a batch, it gets all due jobs of the
 * first before any of the next. Resolves to the jobs that are done; the others wait for the next call.
 */
export type Batch<T extends Topic = Topic> = {
  most: number;
  pauseMilliseconds: number;
  handle: (jobs: Job<T>[]) => Promise<Job[]>;
};

export type Handlers = { [T in Topic]?: Handler<T> | Batch<T> };

/** Parses a stored job's payload with its topic's schema; throws `InvalidPayload` if it does not fit. */
export const readJob = (stored: StoredJob): Job =>
  ({ ...stored, payload: parsePayload(stored.topic, stored.payload) }) as Job;

/** Topics that must not wait for the others with their prefix. */
const ownLanes = new Map([
  ["mail.recovery-code", "urgent"],
  ["bulk.deferred", "deferred"],
]);

/** Topics with the same prefix (`mail.…`) share a lane, so a mail server that hangs delays only mail. */
export const laneOf = (topic: string): string => ownLanes.get(topic) ?? topic.split(".")[0] ?? topic;

/** Workers renew their leases while they work; a dead worker's jobs wait this long. */
const leaseMilliseconds = 12_000;
const longestDelayMilliseconds = 15 * minute;

/** Jobs a person is waiting for run up to an hour ahead of the rest. */
const priorityMilliseconds = hour;

/** With `ahead`, a job runs before jobs posted without it in the last hour; with a delay, it is first tried then. */
type NewJob<T extends TopicOrTemplate> = {
  topic: T;
  subject: string;
  priority?: boolean;
  delayMilliseconds?: number;
} & (null extends PayloadOf<T> ? { payload?: PayloadOf<T> } : { payload: PayloadOf<T> });

/** What changes when a waiting job is posted again. */
const renewed = {
  generation: sql`${outbox.generation} + 1`,
  payload: sql`excluded.payload`,
  request: sql`excluded.request`,
  attempts: 0,
  // a job that a worker has claimed keeps its lease; the new generation makes it run again
  dueAt: sql`CASE WHEN ${outbox.lease} IS NULL THEN excluded.due_at ELSE ${outbox.dueAt} END`,
};

/** The write that posts a job, for the commit that makes it necessary. */
export function enqueue<T extends TopicOrTemplate>(
  ctx: Ctx,
  { topic, subject, payload, priority = false, delayMilliseconds = 0 }: NewJob<T>,
): Write {
  const now = ctx.now();
  const declared: TopicOrTemplate = topic;
  const name = typeof declared === "object" ? declared.topic : declared;
  return enqueuing(
    name,
    insert(ctx.store, {
      topic: name,
      subject,
      payload: payload ? JSON.stringify(payload) : null,
      key: keyOf(name, subject),
      createdAt: now,
      dueAt: new Date(now.getTime() + delayMilliseconds - (priority ? priorityMilliseconds : 0)),
      request: currentTrace(),
    }),
  );
}

/** Names the topic of the jobs that a write posts, so that its commit wakes the worker for them. */
export const enqueuing = (posts: Topic, query: Built): Write => ({ toSQL: () => query.toSQL(), posts });

const keyOf = (topic: Topic, subject: string) => `${topic}:${subject}`;

/** Posts a job for each row of a query, which runs within the commit. */
export function enqueueEach(
  { store: { db }, now }: Ctx,
  topic: PlainTopic,
  { subject, from, where }: { subject: SQLiteColumn; from: SQLiteTable; where: SQL | undefined },
): Write {
  const at = sql`${sql.param(now(), outbox.createdAt)}`;
  const query = db
    .insert(outbox)
    .select(
      // in the order of the table's columns
      sql`SELECT ${`${topic}:`} || ${subject}, ${topic}, ${subject}, NULL, 1, 0, ${at}, ${at}, NULL, NULL, ${currentTrace()} FROM ${from} WHERE ${where}`,
    )
    .onConflictDoUpdate({ target: outbox.key, set: renewed });
  return enqueuing(topic, query);
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

/** Exponential from one second to at most fifteen minutes, with up to 20 % of jitter. */
export function backoff(attempts: number, spread = Math.random()): number {
  const delay = Math.min(1000 * 2 ** (attempts - 1), longestDelayMilliseconds);
  return Math.round(delay * (1 - spread / 5));
}

/** Jobs that keep failing, longest waiting first. */
export const stuckJobs = (ctx: Ctx) =>
  ctx.store.db
    .select({
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

/** The job waiting for a subject, or null. */
export async function jobOf(ctx: Ctx, topic: Topic, subject: string): Promise<StoredJob | null> {
  const [job] = await ctx.store.db
    .select()
    .from(outbox)
    .where(eq(outbox.key, keyOf(topic, subject)));
  return job ?? null;
}

/** A condition for a write: no job is waiting for the subject. */
export const noneOf = (ctx: Ctx, topic: Topic, subject: string): SQL =>
  notExists(
    ctx.store.db
      .select({ key: outbox.key })
      .from(outbox)
      .where(eq(outbox.key, keyOf(topic, subject))),
  );

/**
 * A worker, and the jobs it is still working on, which are not handed out again whatever the clock says. `unsure`: it
 * may have claimed others without having heard so, because the answer was lost.
 */
export type LeaseHolder = { id: string; busyWith?: Iterable<string>; unsure?: boolean };

/** Local writes are synchronous: one with more jobs than this would keep everybody waiting. */
export const mostInOneWrite = 250;

/** Claims up to `limit` due jobs for one worker, including those of a worker that stopped renewing its leases. */
export async function claim(
  ctx: Ctx,
  { id, busyWith = [], unsure = false }: LeaseHolder,
  topics: string[],
  limit: number,
): Promise<StoredJob[]> {
  const now = ctx.now();
  const due = lte(outbox.dueAt, now);
  const dueOrOwn = and(lte(outbox.dueAt, leaseEnd(now)), or(due, eq(outbox.lease, id)));
  const free = and(unsure ? dueOrOwn : due, notInArray(outbox.key, [...busyWith]));
  return ctx.store.db
    .update(outbox)
    .set({ lease: id, dueAt: leaseEnd(now) })
    .where(
      sql`${outbox.key} IN (SELECT key FROM ${firstOfEach(topics, { free, limit })} ORDER BY due_at LIMIT ${limit})`,
    )
    .returning();
}

/** The first jobs of these topics. Each topic is read by itself, because one read of many would sort all that wait. */
const firstOfEach = (topics: string[], { free, limit }: { free?: SQL | undefined; limit: number }): SQL => {
  const { key, topic, dueAt } = outbox;
  const firstOf = (name: string) => {
    const where = and(eq(topic, name), free);
    return sql`SELECT * FROM (SELECT ${key}, ${dueAt} FROM ${outbox} WHERE ${where} ORDER BY ${dueAt} LIMIT ${limit})`;
  };
  return sql`(${sql.join(topics.map(firstOf), sql` UNION ALL `)})`;
};

/** Keeps the jobs that a worker is busy with from being handed to another. */
export async function renewLeases(ctx: Ctx, { id, busyWith = [] }: LeaseHolder): Promise<void> {
  const keys = [...busyWith];
  for (let from = 0; from < keys.length; from += mostInOneWrite) {
    await ctx.store.db
      .update(outbox)
      .set({ dueAt: leaseEnd(ctx.now()) })
      .where(and(inArray(outbox.key, keys.slice(from, from + mostInOneWrite)), eq(outbox.lease, id)));
  }
}

const leaseEnd = (now: Date) => new Date(now.getTime() + leaseMilliseconds);

/**
 * Frees the jobs of these topics whose process died. Only for a process that is known to be alone on this outbox and has
 * not begun to work on it; elsewhere a lease ends by time.
 */
export async function releaseLeases(ctx: Ctx, topics: readonly string[]): Promise<void> {
  const now = ctx.now();
  await ctx.store.db
    .update(outbox)
    .set({ lease: null, dueAt: now })
    .where(
      and(
        inArray(outbox.topic, [...topics]),
        // leases that have not ended; without these bounds it would read every waiting job
        gt(outbox.dueAt, now),
        lte(outbox.dueAt, leaseEnd(now)),
        isNotNull(outbox.lease),
      ),
    );
}

type Finished = Pick<StoredJob, "key" | "lease" | "generation" | "createdAt">;

/** Ends a job together with its handler's writes; a job that was posted again meanwhile stays. */
export async function finish(ctx: Ctx, job: Finished, writes: Write[]): Promise<void> {
  const mine = { key: job.key, lease: job.lease ?? "" };
  await commit(ctx.store, [
    ...writes,
    remove(ctx.store, { ...mine, generation: job.generation }),
    release(ctx.store, { ...mine, dueAt: ctx.now() }),
  ]);
}

/** Ends the jobs of a batch that are done, and puts the rest back at the front of the queue. */
export async function finishBatch(ctx: Ctx, jobs: Finished[], done: Finished[]): Promise<void> {
  const rest = jobs.filter((job) => !done.includes(job));
  await Promise.all([
    ...done.map((job) => finish(ctx, job, [])),
    ...rest.map(({ key, lease, createdAt }) =>
      commit(ctx.store, [release(ctx.store, { key, lease: lease ?? "", dueAt: createdAt })]),
    ),
  ]);
}

const isMine = and(eq(outbox.key, sql.placeholder("key")), eq(outbox.lease, sql.placeholder("lease")));
const remove = preparedWrite((db) =>
  db.delete(outbox).where(and(isMine, eq(outbox.generation, sql.placeholder("generation")))),
);
const release = preparedWrite((db) =>
  db
    .update(outbox)
    .set({ lease: null, attempts: 0, dueAt: placeholderFor(outbox.dueAt, "dueAt") })
    .where(isMine),
);

type Failed = Pick<StoredJob, "key" | "topic" | "subject" | "attempts" | "lease">;

/** Thrown by a handler that knows when to try again. The job does not count as failing. */
export class RetryLater extends Error {
  override name = "RetryLater";
  constructor(
    reason: string,
    readonly delayMilliseconds: number,
  ) {
    super(reason);
  }
}

/** Puts a failed job back with a longer delay and the reason; a job that can't be parsed is stuck at once. */
export async function postpone(ctx: Ctx, job: Failed, error: unknown): Promise<void> {
  const expected = error instanceof RetryLater;
  const failures = Math.max(job.attempts + 1, error instanceof InvalidPayload ? stuckAfterFailures : 0);
  const attempts = expected ? job.attempts : failures;
  const line = { topic: job.topic, job: job.subject, attempts, ...failureOf(error) };
  if (expected) ctx.log.debug("a job will be tried again later", line);
  else ctx.log.warn("a job failed and will be retried", line);
  await ctx.store.db
    .update(outbox)
    .set({
      attempts,
      lease: null,
      lastError: reasonOf(error),
      dueAt: new Date(ctx.now().getTime() + (expected ? error.delayMilliseconds : backoff(attempts))),
    })
    .where(and(eq(outbox.key, job.key), eq(outbox.lease, job.lease ?? "")));
}

/** Makes these jobs due now, whatever their delay, because what made them fail is over; wakes the worker for them. */
export async function retryNow(ctx: Ctx, topics: Topic[]): Promise<void> {
  const { db } = ctx.store;
  for (let hurried = mostInOneWrite; hurried === mostInOneWrite; await Bun.sleep(0)) {
    const now = ctx.now();
    const delayed = db
      .select({ key: outbox.key })
      .from(outbox)
      .where(and(inArray(outbox.topic, topics), isNull(outbox.lease), gt(outbox.dueAt, now)))
      .limit(mostInOneWrite);
    const done = await db.update(outbox).set({ dueAt: now }).where(inArray(outbox.key, delayed));
    hurried = done.rowsAffected;
  }
  wakeWorkers(ctx.store, topics);
}

/** When the next job is due, or null if none is waiting. */
export async function nextDue(ctx: Ctx, topics: string[]): Promise<Date | null> {
  const [row] = await ctx.store.db
    .select({ dueAt: sql`due_at`.mapWith(outbox.dueAt) })
    .from(firstOfEach(topics, { limit: 1 }))
    .orderBy(sql`due_at`)
    .limit(1);
  return row?.dueAt ?? null;
}
