import type { Ctx } from "../database/context";
import { failpoint } from "../log/failpoints";
import { type Batch, type Job, readJob, type StoredJob, type TopicHandler } from "./job-handlers";
import { claim, finish, finishBatch, nextDue, postpone } from "./job-leases";
import { reasonOf } from "../log/log";
import { maxJobsPerWrite } from "./outbox";
import { currentTrace, newTrace, runTraced } from "../log/trace";
import { withTimeout } from "../base/with-timeout";

/** Called after each try of a job, with its duration and, if it failed, the error. */
export type Observe = (
  job: Pick<StoredJob, "topic" | "subject" | "attempts">,
  milliseconds: number,
  error?: unknown,
) => void;

/** What the lanes of a worker share. */
export type SharedOptions = {
  holder: { id: string; busyWith: Set<string>; claims: number };
  observe: Observe;
};

/** How long a lane at first waits for the database server's answer; a slow server gets longer. */
const answerMilliseconds = 2_000;
const longestAnswerMilliseconds = 8_000;
/** After this long, the leases of jobs whose claim got no answer have ended. */
const unsureMilliseconds = 20_000;

/** The pause between two claims, so that one claim takes jobs enqueued in quick succession. */
const claimPauseMilliseconds = 10;

export type Lane = { wake(): void; drain(): Promise<void>; stop(): Promise<void> };

type Plan = SharedOptions & {
  /** Topics claimed together; later ones get the room that earlier ones leave. */
  topicsByTurn: TopicHandler[][];
  batch: Batch | null;
  atOnce: number;
  longestSleepMilliseconds?: number;
};

/** Works through the jobs of some topics, independently of all other lanes. */
export function startLane(ctx: Ctx, plan: Plan): Lane {
  const { topicsByTurn, holder, batch, observe, longestSleepMilliseconds = 5_000, atOnce } = plan;
  const byTopic = new Map(topicsByTurn.flat().map((row) => [row.topic.name, row]));
  let stopped = false;
  let timer: Timer | undefined;
  let running: Promise<void> | undefined;
  let called = false;
  let call = Promise.withResolvers<void>();
  let failure: unknown = null;
  let batchEndedAt = Number.NEGATIVE_INFINITY;
  let answerWithin = answerMilliseconds;
  let unsureUntil = Number.NEGATIVE_INFINITY;

  /** Calls a handler and reports the jobs it finished, or all of them if it failed. */
  const observed = async <T>(
    jobs: Job[],
    act: () => Promise<T>,
    doneBy: (result: T) => Job[],
  ): Promise<T> => {
    const began = performance.now();
    const observeJobs = (some: Job[], error?: unknown) => {
      for (const job of some) {
        runTraced(job.request ?? currentTrace(), () => observe(job, performance.now() - began, error));
      }
    };
    try {
      const result = await act();
      observeJobs(doneBy(result));
      return result;
    } catch (error) {
      observeJobs(jobs, error);
      throw error;
    }
  };

  const run = (job: Job) =>
    runTraced(job.request ?? newTrace(), async () => {
      try {
        const handler = byTopic.get(job.topic)?.handler;
        failpoint("outbox.claimed");
        const handle = async () => (typeof handler === "function" ? await handler(job) : []);
        const writes = await observed([job], handle, () => [job]);
        failpoint("outbox.delivered");
        await finish(ctx, job, writes);
        failpoint("outbox.finished");
      } catch (error) {
        // if the job can't be put back, its lease ends
        await postpone(ctx, job, error).catch((worse: unknown) => (failure = worse));
      }
      holder.busyWith.delete(job.key);
    });

  const runBatch = ({ handle }: Batch, jobs: Job[]) =>
    runTraced(newTrace(), async () => {
      try {
        failpoint("outbox.claimed");
        const done = await observed(
          jobs,
          () => handle(jobs),
          (those) => those,
        );
        failpoint("outbox.delivered");
        await finishBatch(ctx, jobs, done);
        failpoint("outbox.finished");
      } catch (error) {
        await Promise.all(jobs.map((job) => postpone(ctx, job, error))).catch(
          (worse: unknown) => (failure = worse),
        );
      }
      for (const { key } of jobs) holder.busyWith.delete(key);
      batchEndedAt = ctx.now().getTime();
    });

  /** How long until the next batch may start; setting the clock back does not extend that. */
  const restLeft = () => {
    const since = Math.abs(ctx.now().getTime() - batchEndedAt);
    return batch === null ? 0 : Math.max(0, batch.pauseMilliseconds - since);
  };

  const begin = (jobs: Job[]) => (batch && jobs.length > 0 ? [runBatch(batch, jobs)] : jobs.map(run));

  /** Keeps up to `atOnce` jobs running until none is due. */
  const work = async () => {
    const underWay = new Set<Promise<void>>();
    while (!stopped && failure === null) {
      called = false;
      call = Promise.withResolvers();
      const room = batch ? batch.most : atOnce - underWay.size;
      const jobs = restLeft() > 0 ? [] : await take(room);
      for (const doing of begin(jobs)) {
        underWay.add(doing);
        void doing.finally(() => underWay.delete(doing));
      }
      if (underWay.size === 0 && !called) break;
      const full = underWay.size === atOnce;
      if (underWay.size > 0) await Promise.race(full ? underWay : [...underWay, call.promise]);
      if (atOnce > 1) await Bun.sleep(claimPauseMilliseconds);
    }
    await Promise.all(underWay);
  };

  const take = async (room: number): Promise<Job[]> => {
    const claimed: StoredJob[] = [];
    try {
      for (const some of topicsByTurn) {
        for (let left = room - claimed.length; left > 0; left = room - claimed.length) {
          const few = Math.min(left, maxJobsPerWrite);
          const got = await claimSome(some, few);
          claimed.push(...got);
          holder.claims += got.length;
          for (const { key } of got) holder.busyWith.add(key);
          if (got.length < few) break;
        }
      }
    } catch (error) {
      failure = error;
    }
    return readable(claimed);
  };

  /**
   * Claims jobs. If a database server does not answer a claim in time, the lane goes on without it, and the next claim
   * also takes the jobs that it may have claimed.
   */
  const claimSome = async (rows: TopicHandler[], most: number): Promise<StoredJob[]> => {
    const topics = namesOf(rows);
    if (!ctx.store.remote) return claim(ctx, holder, topics, most);
    const claimed = claim(ctx, { ...holder, unsure: performance.now() < unsureUntil }, topics, most);
    let isAnswered = false;
    const noted = claimed.finally(() => (isAnswered = true));
    try {
      const got = await withTimeout(answerWithin, noted);
      answerWithin = answerMilliseconds;
      return got;
    } catch (error) {
      unsureUntil = performance.now() + unsureMilliseconds;
      if (isAnswered) throw error;
      answerWithin = Math.min(answerWithin * 2, longestAnswerMilliseconds);
      called = true;
      return [];
    }
  };

  /** The jobs whose payloads parse; puts the others back as stuck. */
  const readable = async (claimed: StoredJob[]): Promise<Job[]> => {
    const jobs: Job[] = [];
    for (const stored of claimed) {
      try {
        const { topic } = byTopic.get(stored.topic)!;
        jobs.push(readJob(topic, stored));
      } catch (error) {
        observe(stored, 0, error);
        holder.busyWith.delete(stored.key);
        await postpone(ctx, stored, error).catch((worse: unknown) => (failure = worse));
      }
    }
    return jobs;
  };

  const workThenSleep = async () => {
    await work();
    const failed = failure !== null;
    if (failed) ctx.log.error("the outbox can't be read", { reason: reasonOf(failure) });
    failure = null;
    running = undefined;
    await sleep(failed);
  };

  const sleep = async (failed: boolean) => {
    if (stopped) return;
    const next = failed ? null : nextDue(ctx, namesOf(topicsByTurn.flat()));
    const due = await (next && withTimeout(longestSleepMilliseconds, next).catch(() => null));
    if (stopped) return;
    const wait = due ? Math.max(due.getTime() - ctx.now().getTime(), restLeft()) : longestSleepMilliseconds;
    clearTimeout(timer);
    timer = setTimeout(() => wake(), Math.min(Math.max(wait, 10), longestSleepMilliseconds));
  };

  const wake = () => {
    if (stopped) return;
    called = true;
    call.resolve();
    // the caller's trace is not that of the other due jobs
    running ??= runTraced(null, workThenSleep);
  };

  wake();
  return {
    wake,
    async drain() {
      await running;
      await work();
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      call.resolve();
      await running;
      clearTimeout(timer);
    },
  };
}

const namesOf = (rows: TopicHandler[]) => rows.map(({ topic }) => topic.name);
