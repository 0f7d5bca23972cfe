import { minute } from "@/contract/vocabulary/time";
import type { Ctx } from "../database/context";
import { keepLease } from "./lease";
import { failureOf } from "../log/failure";
import { newTrace, runTraced } from "../log/trace";

export type PeriodicJob = {
  name: string;
  /** Without it, the job runs only on request. */
  everyMilliseconds?: number;
  /** Delay of the first run after the start, if shorter than the interval. */
  firstAfterMilliseconds?: number;
  /** The pause after a run that did something. */
  pauseMilliseconds?: number;
  /** If several processes share a database, only the one that holds the scheduler's lease runs the job. */
  inOneProcess?: boolean;
  /** `stopping` aborts when the job is stopped. Resolves to false if there was nothing to do; then no pause follows. */
  run: (stopping: AbortSignal) => Promise<unknown>;
};

export type ScheduledJob = {
  /** Runs the job now, after any current run; resolves when that run ends. */
  run(): Promise<void>;
  /** Requests a run as soon as the job's pause allows. */
  soon(): void;
  /** The same, ignoring the pause after failures. */
  afresh(): void;
  stop(): Promise<void>;
};

export type Scheduler = {
  add(job: PeriodicJob): ScheduledJob;
  /** Starts no more runs, and waits for the current ones. */
  stop(): Promise<void>;
};

const tickMilliseconds = 500;
const firstRetryMilliseconds = 5_000;
const longestRetryMilliseconds = 5 * minute;

/**
 * Runs every periodic job of the process. A job never overlaps itself; after a failure it is logged and retried with a
 * growing pause. Time comes from the context, so that tests can move it; setting the clock back does not delay a run.
 */
export function startScheduler(ctx: Ctx): Scheduler {
  // no other process runs on an embedded database
  const lease = ctx.store.sole ? null : keepLease(ctx, "scheduler");
  const isMine = () => lease === null || lease.isMine();
  const jobs = new Map<ScheduledJob, () => void>();
  const timer = setInterval(() => {
    for (const startIfDue of jobs.values()) startIfDue();
  }, tickMilliseconds);
  return {
    add(job) {
      const { startIfDue, ...scheduled } = schedule(ctx, job, isMine);
      const added = {
        ...scheduled,
        async stop() {
          jobs.delete(added);
          await scheduled.stop();
        },
      };
      jobs.set(added, startIfDue);
      return added;
    },
    async stop() {
      clearInterval(timer);
      await Promise.all([...jobs.keys()].map((job) => job.stop()));
      await lease?.stop();
    },
  };
}

function schedule(
  ctx: Ctx,
  job: PeriodicJob,
  isMine: () => boolean,
): ScheduledJob & { startIfDue: () => void } {
  const { everyMilliseconds: every = Infinity, pauseMilliseconds: pause = 0 } = job;
  const stopping = new AbortController();
  const time = () => ctx.now().getTime();
  let running: Promise<void> | undefined;
  const first = job.firstAfterMilliseconds;
  let lastAt = time() - (first === undefined ? 0 : every - first);
  let endedAt = Number.NEGATIVE_INFINITY;
  let rest = 0;
  let failures = 0;
  let asked = false;

  const attempt = async () => {
    try {
      const did = await job.run(stopping.signal);
      failures = 0;
      rest = did === false ? 0 : pause;
    } catch (error) {
      failures += 1;
      rest = Math.min(firstRetryMilliseconds * 2 ** (failures - 1), longestRetryMilliseconds);
      const about = { topic: job.name, ...failureOf(error), attempts: failures, milliseconds: rest };
      ctx.log.warn("a periodic job failed and will be retried", about);
      asked = true;
    }
    endedAt = time();
    running = undefined;
  };
  const start = () => {
    asked = false;
    lastAt = time();
    return (running = runTraced(newTrace(), attempt));
  };
  const startIfDue = () => {
    const now = time();
    const isDue = asked || Math.abs(now - lastAt) >= every;
    if (running || !isDue || Math.abs(now - endedAt) < rest) return;
    if (job.inOneProcess && !isMine()) return;
    void start();
  };
  const soon = () => {
    asked = true;
    startIfDue();
  };
  return {
    startIfDue,
    soon,
    async run() {
      while (running) await running;
      await start();
    },
    afresh() {
      if (failures > 0) rest = 0;
      failures = 0;
      soon();
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
