import { writesHang } from "../database/commit";
import { type Ctx, newId } from "../database/context";
import { reasonOf } from "../log/log";
import type { Topic } from "../database/topic";
import { runTraced } from "../log/trace";
import { onWake } from "../database/wake";
import type { Metrics } from "../log/metrics";
import type { TopicHandler } from "./job-handlers";
import { renewLeases } from "./job-leases";
import { type Lane, type Observe, type SharedOptions, startLane } from "./lane";

export type Worker = {
  /** Starts working on more topics. */
  add(work: readonly TopicHandler[], options?: LaneOptions): Lanes;
  /** Checks for due jobs now, in the lanes of these topics or in all. Commits do this for the jobs they enqueue. */
  wake(topics?: ReadonlySet<Topic>): void;
  /** Runs all due jobs and resolves when none is left. For tests that move the clock. */
  drain(): Promise<void>;
  /** Claims no new jobs and waits for those in progress. */
  stop(): Promise<void>;
};

/** The lanes of one `add`. */
type Lanes = Omit<Worker, "add">;

type WorkerOptions = { observe?: Observe; renewMilliseconds?: number };

type LaneOptions = {
  /** Other processes may enqueue jobs too, so the worker polls the outbox at least this often. */
  longestSleepMilliseconds?: number;
  /** How many jobs run at once in each lane; a lane with batches runs one batch. */
  atOnce?: number;
  /** Overrides `atOnce` for single lanes. */
  atOnceIn?: Record<string, number>;
};

/** Often enough that two renewals can fail before a lease ends. */
const renewEveryMilliseconds = 3_000;

/** Works through the outbox for as long as the process lives, each lane independently. */
export function startWorker(ctx: Ctx, options: WorkerOptions = {}): Worker {
  const { observe = () => {}, renewMilliseconds = renewEveryMilliseconds } = options;
  const holder = { id: newId(), busyWith: new Set<string>(), claims: 0 };
  const renewing = setInterval(() => {
    // a process that can't record jobs as done lets another take them
    if (holder.busyWith.size === 0 || writesHang(ctx.store)) return;
    runTraced(null, () => renewLeases(ctx, holder)).catch((error: unknown) => {
      ctx.log.warn("the leases of jobs could not be renewed", { reason: reasonOf(error) });
    });
  }, renewMilliseconds);
  const all = new Set<Lanes>();
  const each = async (act: (lanes: Lanes) => Promise<void>) => {
    await Promise.all([...all].map(act));
  };
  const wake = (topics?: ReadonlySet<Topic>) => {
    for (const lanes of all) lanes.wake(topics);
  };
  const leave = onWake(ctx.store, wake);
  return {
    add(work, laneOptions = {}) {
      const lanes = startLanes(ctx, work, { ...laneOptions, holder, observe });
      all.add(lanes);
      return {
        ...lanes,
        async stop() {
          await lanes.stop();
          all.delete(lanes);
        },
      };
    },
    wake,
    async drain() {
      // a job may have enqueued another in a different lane
      for (let before = -1; before !== holder.claims;) {
        before = holder.claims;
        await each((lanes) => lanes.drain());
      }
    },
    async stop() {
      leave();
      await each((lanes) => lanes.stop());
      clearInterval(renewing);
    },
  };
}

function startLanes(ctx: Ctx, work: readonly TopicHandler[], options: SharedOptions & LaneOptions): Lanes {
  const { atOnce: most = 8, atOnceIn = {} } = options;
  const byLane = Map.groupBy(work, ({ topic }) => topic.lane);
  const lanes = Array.from(byLane, ([name, rows]): [string, Lane] => {
    const first = rows[0]?.handler;
    const isShared = rows.every(({ handler }) => handler === first);
    const batch = isShared && typeof first === "object" ? first : null;
    // a batch takes one topic after the other
    const topicsByTurn = batch ? rows.map((row) => [row]) : [rows];
    const atOnce = batch ? 1 : (atOnceIn[name] ?? most);
    return [name, startLane(ctx, { ...options, topicsByTurn, batch, atOnce })];
  });
  const each = async (act: (lane: Lane) => Promise<void>) => {
    await Promise.all(lanes.map(([, lane]) => act(lane)));
  };
  return {
    wake(topics) {
      const woken = topics && new Set([...topics].map((topic) => topic.lane));
      for (const [name, lane] of lanes) if (!woken || woken.has(name)) lane.wake();
    },
    drain: () => each((lane) => lane.drain()),
    stop: () => each((lane) => lane.stop()),
  };
}

/** Counts and logs every job that this process tries. */
export function jobMetrics({ log }: Ctx, metrics: Metrics): Observe {
  const count = metrics.counter("latchkey_jobs_total", "Deliveries that this process tried.", [
    "topic",
    "result",
  ]);
  return ({ topic, subject, attempts }, milliseconds, error) => {
    count(topic, error === undefined ? "done" : "failed");
    const about = { topic, job: subject, attempts: attempts + 1, milliseconds: Math.round(milliseconds) };
    if (error === undefined) log.info("job", about);
    else log.debug("job failed", { ...about, reason: reasonOf(error) });
  };
}
