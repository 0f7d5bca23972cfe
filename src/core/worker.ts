import type { Ctx } from "./context";
import { reasonOf } from "./log";
import { claim, finish, type Handler, type Job, nextDue, postpone } from "./outbox";

export type Worker = {
  /** Look at once. */
  wake(): void;
  /** Does everything that is due now; resolves when nothing is left. For tests with a moved clock. */
  drain(): Promise<void>;
  /** Takes no new work and waits for what is under way. */
  stop(): Promise<void>;
};

const atOnce = 8;
/** Another process may post work too, so the outbox is looked at even when nobody calls. */
const longestSleepMilliseconds = 5_000;

/** Delivers what the outbox holds, a few jobs at once, for as long as the process lives. */
export function startWorker(ctx: Ctx, handlers: Record<string, Handler>): Worker {
  const topics = Object.keys(handlers);
  let stopped = false;
  let timer: Timer | undefined;
  let running: Promise<void> | undefined;
  let called = false;

  const run = async (job: Job) => {
    try {
      const handler = handlers[job.topic];
      if (handler) await finish(ctx, job, await handler(job));
    } catch (error) {
      await postpone(ctx, job, error);
    }
  };

  const work = async () => {
    while (!stopped) {
      called = false;
      const jobs = await claim(ctx, topics, atOnce);
      if (jobs.length === 0 && !called) return;
      await Promise.all(jobs.map(run));
    }
  };

  const workThenSleep = async () => {
    try {
      await work();
    } catch (error) {
      ctx.log.error("the outbox could not be read", { reason: reasonOf(error) });
    }
    running = undefined;
    await sleep();
  };

  const sleep = async () => {
    if (stopped) return;
    const due = await nextDue(ctx, topics).catch(() => null);
    const wait = due ? due.getTime() - ctx.now().getTime() : longestSleepMilliseconds;
    clearTimeout(timer);
    timer = setTimeout(() => wake(), Math.min(Math.max(wait, 10), longestSleepMilliseconds));
  };

  const wake = () => {
    called = true;
    if (stopped) return;
    running ??= workThenSleep();
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
      await running;
      clearTimeout(timer);
    },
  };
}
