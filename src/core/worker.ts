import { type Ctx, newId } from "./context";
import { failpoint } from "./failpoints";
import { reasonOf } from "./log";
import {
  type Batch,
  claim,
  finish,
  finishBatch,
  type Handler,
  type Handlers,
  type Job,
  laneOf,
  nextDue,
  postpone,
  readJob,
  renewLeases,
  type StoredJob,
} from "./outbox";
import { currentTrace, newTrace, traced } from "./trace";

/** Hears how each delivery ended: how long it took, and the error where it failed. */
export type Observe = (
  job: Pick<StoredJob, "topic" | "subject" | "attempts">,
  milliseconds: number,
  error?: unknown,
) => void;

export type Worker = {
  /** Begins to work on more topics. */
  add(handlers: Handlers, options?: LaneOptions): Lanes;
  /** Looks for due jobs at once. */
  wake(): void;
  /** Does everything that is due now; resolves when nothing is left. For tests with a moved clock. */
  drain(): Promise<void>;
  /** Takes no new jobs and waits for those under way. */
  stop(): Promise<void>;
};

/** The topics of one `add`. */
export type Lanes = Omit<Worker, "add">;

export type WorkerOptions = { observe?: Observe; renewMilliseconds?: number };

export type LaneOptions = {
  /** Another process may post jobs too, so the outbox is looked at even when nobody wakes the worker. */
  longestSleepMilliseconds?: number;
  /** How many jobs are under way in each lane; one batch in the lane of a topic that is done in batches. */
  atOnce?: number;
  /**
   * Lanes with one job under way, so that a kill repeats no more than one: what is done twice there is seen by a
   * person.
   */
  singly?: string[];
};

/** Leaves room for two renewals that fail before a lease ends. */
const renewEveryMilliseconds = 4_000;

/** Delivers what the outbox holds for as long as the process lives, each lane by itself. */
export function startWorker(ctx: Ctx, options: WorkerOptions = {}): Worker {
  const { observe = () => {}, renewMilliseconds = renewEveryMilliseconds } = options;
  const holder = { id: newId(), busyWith: new Set<string>() };
  const renewing = setInterval(() => {
    if (holder.busyWith.size === 0) return;
    renewLeases(ctx, holder).catch((error: unknown) => {
      ctx.log.warn("the leases of jobs could not be renewed", { reason: reasonOf(error) });
    });
  }, renewMilliseconds);
  const all = new Set<Lanes>();
  const each = async (act: (lanes: Lanes) => Promise<void>) => {
    await Promise.all([...all].map(act));
  };
  return {
    add(handlers, laneOptions = {}) {
      const lanes = startLanes(ctx, {
        ...laneOptions,
        handlers: handlers as HandlerByTopic,
        holder,
        observe,
      });
      all.add(lanes);
      return {
        ...lanes,
        async stop() {
          await lanes.stop();
          all.delete(lanes);
        },
      };
    },
    wake() {
      for (const lanes of all) lanes.wake();
    },
    drain: () => each((lanes) => lanes.drain()),
    async stop() {
      await each((lanes) => lanes.stop());
      clearInterval(renewing);
    },
  };
}

/** Each handler is given the jobs of its own topic alone. */
type HandlerByTopic = Record<string, Handler | Batch | undefined>;
type Shared = { handlers: HandlerByTopic; holder: { id: string; busyWith: Set<string> }; observe: Observe };

function startLanes(ctx: Ctx, options: Shared & LaneOptions): Lanes {
  const { handlers, singly = [] } = options;
  const byLane = Object.entries(Object.groupBy(Object.keys(handlers), laneOf));
  const lanes = byLane.map(([name, topics = []]) => {
    const only = handlers[topics[0] ?? ""];
    const batch = topics.length === 1 && typeof only === "object" ? only : null;
    const atOnce = batch || singly.includes(name) ? 1 : (options.atOnce ?? 8);
    return startLane(ctx, { ...options, topics, batch, atOnce });
  });
  const each = async (act: (lane: Lanes) => Promise<void>) => {
    await Promise.all(lanes.map(act));
  };
  return {
    wake() {
      for (const lane of lanes) lane.wake();
    },
    drain: () => each((lane) => lane.drain()),
    stop: () => each((lane) => lane.stop()),
  };
}

/** Between two looks, so that jobs posted in a rush are claimed many at a time. */
const breathMilliseconds = 25;

type Lane = Shared & {
  topics: string[];
  batch: Batch | null;
  atOnce: number;
  longestSleepMilliseconds?: number;
};

function startLane(ctx: Ctx, lane: Lane): Lanes {
  const { handlers, topics, holder, batch, observe, longestSleepMilliseconds = 5_000, atOnce } = lane;
  let stopped = false;
  let timer: Timer | undefined;
  let running: Promise<void> | undefined;
  let called = false;
  let call = Promise.withResolvers<void>();
  let trouble: unknown = null;
  let batchEndedAt = Number.NEGATIVE_INFINITY;

  /** Calls a handler, and observes the jobs that it did, or all of them where it failed. */
  const observed = async <T>(
    jobs: Job[],
    act: () => Promise<T>,
    doneBy: (result: T) => Job[],
  ): Promise<T> => {
    const began = performance.now();
    const tell = (some: Job[], error?: unknown) => {
      for (const job of some) {
        traced(job.request ?? currentTrace(), () => observe(job, performance.now() - began, error));
      }
    };
    try {
      const result = await act();
      tell(doneBy(result));
      return result;
    } catch (error) {
      tell(jobs, error);
      throw error;
    }
  };

  const run = (job: Job) =>
    traced(job.request ?? newTrace(), async () => {
      try {
        const handler = handlers[job.topic];
        failpoint("outbox.claimed");
        const handle = async () => (typeof handler === "function" ? await handler(job) : []);
        const writes = await observed([job], handle, () => [job]);
        failpoint("outbox.delivered");
        await finish(ctx, job, writes);
        failpoint("outbox.finished");
      } catch (error) {
        // a job that can't be put back comes free when its lease ends
        await postpone(ctx, job, error).catch((worse: unknown) => (trouble = worse));
      }
      holder.busyWith.delete(job.key);
    });

  const runBatch = ({ handle }: Batch, jobs: Job[]) =>
    traced(newTrace(), async () => {
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
          (worse: unknown) => (trouble = worse),
        );
      }
      for (const { key } of jobs) holder.busyWith.delete(key);
      batchEndedAt = ctx.now().getTime();
    });

  /** How long the next batch still has to wait; setting the clock back does not prolong it. */
  const restLeft = () => {
    const since = Math.abs(ctx.now().getTime() - batchEndedAt);
    return batch === null ? 0 : Math.max(0, batch.pauseMilliseconds - since);
  };

  const begin = (jobs: Job[]) => (batch && jobs.length > 0 ? [runBatch(batch, jobs)] : jobs.map(run));

  /** Keeps up to `atOnce` jobs under way until none is due. */
  const work = async () => {
    const underWay = new Set<Promise<void>>();
    while (!stopped && trouble === null) {
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
      if (atOnce > 1) await Bun.sleep(breathMilliseconds);
    }
    await Promise.all(underWay);
  };

  const take = async (room: number): Promise<Job[]> => {
    try {
      const jobs = await readable(await claim(ctx, holder, topics, room));
      for (const { key } of jobs) holder.busyWith.add(key);
      return jobs;
    } catch (error) {
      trouble = error;
      return [];
    }
  };

  /** The jobs whose payloads can be read; the others are put back as stuck. */
  const readable = async (claimed: StoredJob[]): Promise<Job[]> => {
    const jobs: Job[] = [];
    for (const stored of claimed) {
      try {
        jobs.push(readJob(stored));
      } catch (error) {
        observe(stored, 0, error);
        await postpone(ctx, stored, error);
      }
    }
    return jobs;
  };

  const workThenSleep = async () => {
    await work();
    const failed = trouble !== null;
    if (failed) ctx.log.error("the outbox can't be worked on", { reason: reasonOf(trouble) });
    trouble = null;
    running = undefined;
    await sleep(failed);
  };

  const sleep = async (failed: boolean) => {
    if (stopped) return;
    const due = failed ? null : await nextDue(ctx, topics).catch(() => null);
    const wait = due ? Math.max(due.getTime() - ctx.now().getTime(), restLeft()) : longestSleepMilliseconds;
    clearTimeout(timer);
    timer = setTimeout(() => wake(), Math.min(Math.max(wait, 10), longestSleepMilliseconds));
  };

  const wake = () => {
    if (stopped) return;
    called = true;
    call.resolve();
    // the caller's trace has nothing to do with the other jobs that are due
    running ??= traced(null, workThenSleep);
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
