import type { Ctx } from "./context";
import { reasonOf } from "./log";
import type { Metrics } from "./metrics";
import type { Batch, Handler, Handlers, Job } from "./outbox";
import { currentTrace, traced } from "./trace";

export type JobWatch = ReturnType<typeof watchJobs>;

/** Every delivery that this process tries is counted, and has its line in the log. */
export function watchJobs({ log }: Ctx, metrics: Metrics) {
  const count = metrics.counter("latchkey_jobs_total", "Deliveries that this process tried.", [
    "topic",
    "result",
  ]);
  /** Tells of a delivery that began at `began`; without an error it succeeded. */
  const tell = ({ topic, subject, attempts }: Job, began: number, error?: unknown) => {
    const failed = error !== undefined;
    count(topic, failed ? "failed" : "done");
    const milliseconds = Math.round(performance.now() - began);
    const about = { topic, job: subject, attempts: attempts + 1, milliseconds };
    if (failed) log.debug("job failed", { ...about, reason: reasonOf(error) });
    else log.info("job", about);
  };
  const told = async <T>(jobs: Job[], act: () => Promise<T>, done: (result: T) => Job[]): Promise<T> => {
    const began = performance.now();
    const each = (some: Job[], error?: unknown) => {
      for (const job of some) traced(job.request ?? currentTrace(), () => tell(job, began, error));
    };
    try {
      const result = await act();
      each(done(result));
      return result;
    } catch (error) {
      each(jobs, error);
      throw error;
    }
  };
  const watched = (handler: Handler | Batch): Handler | Batch =>
    typeof handler === "function"
      ? (job) =>
          told(
            [job],
            () => handler(job),
            () => [job],
          )
      : {
          ...handler,
          handle: (jobs) =>
            told(
              jobs,
              () => handler.handle(jobs),
              (done) => done,
            ),
        };
  /** The same handlers, each of whose jobs is told of. */
  const handlers = (all: Handlers): Handlers =>
    Object.fromEntries(Object.entries(all).map(([topic, handler]) => [topic, watched(handler)]));
  return { handlers };
}
