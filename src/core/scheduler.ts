import type { Ctx } from "./context";
import { keepLease } from "./lease";
import { reasonOf } from "./log";
import { newTrace, traced } from "./trace";

export type PeriodicJob = {
  name: string;
  /** Without it the job runs only when asked for. */
  everyMilliseconds?: number;
  /** The first run after the start, where that is sooner than a whole interval. */
  firstAfterMilliseconds?: number;
  /** Between the end of a run that did something and the next. */
  pauseMilliseconds?: number;
  /** Of several processes on one database only the one that holds the scheduler's lease runs it. */
  inOneProcess?: boolean;
  /** `stopping` aborts when the job is stopped. Resolves to false when there was nothing to do, so no pause is needed. */
  run: (stopping: AbortSignal) => Promise<unknown>;
};

export type ScheduledJob = {
  /** Runs it after the run under way, whatever the time; resolves when that is over. */
  run(): Promise<void>;
  /** Asks for a run as soon as the job's pause allows. */
  soon(): void;
  /** The same, and forgets the pause that failures earned it. */
  afresh(): void;
  stop(): Promise<void>;
};

export type Scheduler = {
  add(job: PeriodicJob): ScheduledJob;
  /** Starts nothing more, and waits for the runs under way. */
  stop(): Promise<void>;
};

const tickMilliseconds = 500;
const firstRetryMilliseconds = 5_000;
const longestRetryMilliseconds = 5 * 60_000;

/**
 * Runs every periodic job of the process. A job never overlaps itself; a failure is logged and retried after a
 * growing pause. Time is the context's, so that tests can move it; setting the clock back does not delay a run.
 */
export function startScheduler(ctx: Ctx): Scheduler {
  // nobody else runs on an embedded database
  const lease = ctx.store.sole ? null : keepLease(ctx, "scheduler");
  const isMine = () => lease === null || lease.isMine();
  const jobs = new Map<ScheduledJob, () => void>();
  const timer = setInterval(() => {
    for (const look of jobs.values()) look();
  }, tickMilliseconds);
  return {
    add(job) {
      const { look, ...scheduled } = schedule(ctx, job, isMine);
      const added = {
        ...scheduled,
        async stop() {
          jobs.delete(added);
          await scheduled.stop();
        },
      };
      jobs.set(added, look);
      return added;
    },
    async stop() {
      clearInterval(timer);
      await Promise.all([...jobs.keys()].map((job) => job.stop()));
      await lease?.stop();
    },
  };
}

function schedule(ctx: Ctx, job: PeriodicJob, isMine: () => boolean): ScheduledJob & { look: () => void } {
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
      const reason = reasonOf(error);
      const about = { topic: job.name, reason, attempts: failures, milliseconds: rest };
      ctx.log.warn("a periodic job failed and will be tried again", about);
      asked = true;
    }
    endedAt = time();
    running = undefined;
  };
  const start = () => {
    asked = false;
    lastAt = time();
    return (running = traced(newTrace(), attempt));
  };
  const look = () => {
    const now = time();
    const isDue = asked || Math.abs(now - lastAt) >= every;
    if (running || !isDue || Math.abs(now - endedAt) < rest) return;
    if (job.inOneProcess && !isMine()) return;
    void start();
  };
  const soon = () => {
    asked = true;
    look();
  };
  return {
    look,
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
