import { type Ctx, newId } from "./context";
import { failpoint } from "./failpoints";
import { reasonOf } from "./log";
import { claim, finish, type Handler, type Job, laneOf, nextDue, postpone, renewLeases } from "./outbox";
import { newTrace, traced } from "./trace";

export type Worker = {
  /** Look at once. */
  wake(): void;
  /** Does everything that is due now; resolves when nothing is left. For tests with a moved clock. */
  drain(): Promise<void>;
  /** Takes no new work and waits for what is under way. */
  stop(): Promise<void>;
};

export type WorkerOptions = {
  /** Another process may post work too, so the outbox is looked at even when nobody calls. */
  longestSleepMilliseconds?: number;
  /** How many jobs are under way in each lane. */
  atOnce?: number;
  /**
   * Lanes with one job under way, of which a kill can therefore repeat no more than one: what is done twice
   * there is seen by a person.
   */
  singly?: string[];
  renewMilliseconds?: number;
};

/** Leaves room for two renewals that fail before a lease ends. */
const renewEveryMilliseconds = 4_000;

/** Delivers what the outbox holds for as long as the process lives, each lane by itself. */
export function startWorker(
  ctx: Ctx,
  handlers: Record<string, Handler>,
  options: WorkerOptions = {},
): Worker {
  const topics = Object.keys(handlers);
  const byLane = Object.entries(Object.groupBy(topics, laneOf));
  const holder = { id: newId(), busyWith: new Set<string>() };
  const renew = () => {
    if (holder.busyWith.size === 0) return;
    renewLeases(ctx, holder).catch((error: unknown) => {
      ctx.log.warn("the leases of jobs could not be renewed", { reason: reasonOf(error) });
    });
  };
  const renewing = setInterval(renew, options.renewMilliseconds ?? renewEveryMilliseconds);
  const lanes = byLane.map(([name, own = []]) =>
    startLane(ctx, {
      handlers,
      topics: own,
      holder,
      ...options,
      ...(options.singly?.includes(name) ? { atOnce: 1 } : {}),
    }),
  );
  const everyLane = async (act: (lane: Worker) => Promise<void>) => {
    await Promise.all(lanes.map(act));
  };
  return {
    wake: () => lanes.forEach((lane) => lane.wake()),
    drain: () => everyLane((lane) => lane.drain()),
    async stop() {
      await everyLane((lane) => lane.stop());
      clearInterval(renewing);
    },
  };
}

/** Between two looks, so that work posted in a rush is taken up many at a time. */
const breathMilliseconds = 25;

type Lane = WorkerOptions & {
  handlers: Record<string, Handler>;
  topics: string[];
  holder: { id: string; busyWith: Set<string> };
};

function startLane(ctx: Ctx, lane: Lane): Worker {
  const { handlers, topics, holder, longestSleepMilliseconds = 5_000, atOnce = 8 } = lane;
  let stopped = false;
  let timer: Timer | undefined;
  let running: Promise<void> | undefined;
  let called = false;
  let call = Promise.withResolvers<void>();
  let trouble: unknown = null;

  const run = (job: Job) =>
    traced(job.request ?? newTrace(), async () => {
      try {
        const handler = handlers[job.topic];
        failpoint("outbox.claimed");
        const writes = handler ? await handler(job) : [];
        failpoint("outbox.delivered");
        await finish(ctx, job, writes);
        failpoint("outbox.finished");
      } catch (error) {
        // what can't even be put back comes free by itself when the lease ends
        await postpone(ctx, job, error).catch((worse: unknown) => (trouble = worse));
      }
    });

  /** Keeps up to `atOnce` jobs under way until none is due. */
  const work = async () => {
    const underWay = new Set<Promise<void>>();
    while (!stopped && trouble === null) {
      called = false;
      call = Promise.withResolvers();
      const jobs = await claim(ctx, holder, topics, atOnce - underWay.size).catch((error: unknown) => {
        trouble = error;
        return [];
      });
      for (const job of jobs) {
        holder.busyWith.add(job.key);
        const doing = run(job).finally(() => {
          holder.busyWith.delete(job.key);
          underWay.delete(doing);
        });
        underWay.add(doing);
      }
      if (underWay.size === 0 && !called) break;
      const full = underWay.size === atOnce;
      if (underWay.size > 0) await Promise.race(full ? underWay : [...underWay, call.promise]);
      if (atOnce > 1) await Bun.sleep(breathMilliseconds);
    }
    await Promise.all(underWay);
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
    const wait = due ? due.getTime() - ctx.now().getTime() : longestSleepMilliseconds;
    clearTimeout(timer);
    timer = setTimeout(() => wake(), Math.min(Math.max(wait, 10), longestSleepMilliseconds));
  };

  const wake = () => {
    if (stopped) return;
    called = true;
    call.resolve();
    // whoever called has nothing to do with the other work that is due
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
