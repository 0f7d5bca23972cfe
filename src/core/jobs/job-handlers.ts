import type { z } from "zod";
import type { Write } from "../database/commit";
import { parsePayload, type Topic } from "../database/topic";
import type { outbox } from "../database/schema";

export type StoredJob = typeof outbox.$inferSelect;

/** A job as its handler reads it. */
export type Job<T extends Topic = Topic> = Omit<StoredJob, "payload"> & { payload: z.output<T["payload"]> };

/**
 * Does one job outside the process. Must be safe to repeat: a crash may keep the row of a job that succeeded. The
 * commit that removes the job includes the writes it returns. If it throws, the worker retries the job later.
 */
export type Handler<T extends Topic = Topic> = (job: Job<T>) => Promise<Write[]>;

/**
 * Does many jobs in one call, with a pause between calls. If several topics share a batch, it gets all due jobs of the
 * first before any of the next. Resolves to the finished jobs; the others wait for the next call.
 */
export type Batch<T extends Topic = Topic> = {
  most: number;
  pauseMilliseconds: number;
  handle: (jobs: Job<T>[]) => Promise<Job[]>;
};

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

/** A topic with its handler, which gets only jobs of that topic. */
export type TopicHandler = { topic: Topic; handler: Handler | Batch };

export const topicHandler = <T extends Topic>(topic: T, handler: Handler<T> | Batch<T>): TopicHandler => ({
  topic,
  handler,
});

/** The handler of each of these topics, by name: a missing handler does not compile. Null: its jobs wait. */
export const topicHandlers = <const T extends Record<string, Topic>>(
  topics: T,
  handlers: { [N in keyof T]: Handler<T[N]> | Batch<T[N]> | null },
): TopicHandler[] =>
  Object.keys(handlers).flatMap((name) => {
    const [topic, handler] = [topics[name], handlers[name]];
    return topic && handler ? [topicHandler(topic, handler)] : [];
  });

/** Parses a stored job's payload with its topic's schema; throws `InvalidPayload` if it does not fit. */
export const readJob = <T extends Topic>(topic: T, stored: StoredJob): Job<T> => ({
  ...stored,
  payload: parsePayload(topic, stored.payload) as z.output<T["payload"]>,
});
