import { and, eq, gt, inArray, isNotNull, lte, notInArray, or, type SQL, sql } from "drizzle-orm";
import { minute } from "@/contract/vocabulary/time";
import { commit, type Write } from "../database/commit";
import type { Ctx } from "../database/context";
import { failureOf } from "../log/failure";
import { RetryLater, type StoredJob } from "./job-handlers";
import { reasonOf } from "../log/log";
import { maxJobsPerWrite } from "./outbox";
import { InvalidPayload } from "../database/topic";
import { placeholderFor, preparedWrite } from "../database/prepared";
import { outbox, stuckAfterFailures } from "../database/schema";

/** Workers renew their leases while they work; a dead worker's jobs wait this long. */
const leaseMilliseconds = 12_000;
const longestDelayMilliseconds = 15 * minute;

/**
 * A worker and the jobs it is working on, which no claim returns again, whatever the clock says. `unsure`: the answer
 * to a claim was lost, so the worker may hold jobs it does not know of.
 */
type LeaseHolder = { id: string; busyWith?: Iterable<string>; unsure?: boolean };

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

/** The first jobs of each topic. One query for all topics would sort every waiting job. */
const firstOfEach = (topics: string[], { free, limit }: { free?: SQL | undefined; limit: number }): SQL => {
  const { key, topic, dueAt } = outbox;
  const firstOf = (name: string) => {
    const where = and(eq(topic, name), free);
    return sql`SELECT * FROM (SELECT ${key}, ${dueAt} FROM ${outbox} WHERE ${where} ORDER BY ${dueAt} LIMIT ${limit})`;
  };
  return sql`(${sql.join(topics.map(firstOf), sql` UNION ALL `)})`;
};

/** Keeps other workers from claiming the jobs that this worker is busy with. */
export async function renewLeases(ctx: Ctx, { id, busyWith = [] }: LeaseHolder): Promise<void> {
  const keys = [...busyWith];
  for (let from = 0; from < keys.length; from += maxJobsPerWrite) {
    await ctx.store.db
      .update(outbox)
      .set({ dueAt: leaseEnd(ctx.now()) })
      .where(and(inArray(outbox.key, keys.slice(from, from + maxJobsPerWrite)), eq(outbox.lease, id)));
  }
}

const leaseEnd = (now: Date) => new Date(now.getTime() + leaseMilliseconds);

/**
 * Frees the jobs of these topics whose process died. Only for a process that is alone on this outbox and has not
 * started its worker; elsewhere a lease must expire.
 */
export async function releaseLeases(ctx: Ctx, topics: readonly string[]): Promise<void> {
  const now = ctx.now();
  await ctx.store.db
    .update(outbox)
    .set({ lease: null, dueAt: now })
    .where(
      and(
        inArray(outbox.topic, [...topics]),
        // only unexpired leases; without these bounds it would read every waiting job
        gt(outbox.dueAt, now),
        lte(outbox.dueAt, leaseEnd(now)),
        isNotNull(outbox.lease),
      ),
    );
}

type FinishedJob = Pick<StoredJob, "key" | "lease" | "generation" | "createdAt">;

/** Removes a job and commits its handler's writes; a job that was enqueued again meanwhile stays. */
export async function finish(ctx: Ctx, job: FinishedJob, writes: Write[]): Promise<void> {
  const mine = { key: job.key, lease: job.lease ?? "" };
  await commit(ctx.store, [
    ...writes,
    remove(ctx.store, { ...mine, generation: job.generation }),
    release(ctx.store, { ...mine, dueAt: ctx.now() }),
  ]);
}

/** Removes the finished jobs of a batch, and puts the others back at the front of the queue. */
export async function finishBatch(ctx: Ctx, jobs: FinishedJob[], done: FinishedJob[]): Promise<void> {
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

type FailedJob = Pick<StoredJob, "key" | "topic" | "subject" | "attempts" | "lease">;

/** Puts a failed job back with a longer delay and the reason; a job that can't be parsed counts as stuck at once. */
export async function postpone(ctx: Ctx, job: FailedJob, error: unknown): Promise<void> {
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

/** Exponential from one second to at most fifteen minutes, with up to 20 % of jitter. */
export function backoff(attempts: number, spread = Math.random()): number {
  const delay = Math.min(1000 * 2 ** (attempts - 1), longestDelayMilliseconds);
  return Math.round(delay * (1 - spread / 5));
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
