import type { Ctx } from "./context";
import { reasonOf } from "./log";
import type { Metrics } from "./metrics";
import type { Handler, Job } from "./outbox";

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
  const watched =
    (handler: Handler): Handler =>
    async (job) => {
      const began = performance.now();
      try {
        const writes = await handler(job);
        tell(job, began);
        return writes;
      } catch (error) {
        tell(job, began, error);
        throw error;
      }
    };
  return {
    tell,
    /** The same handlers, each of whose jobs is told of. */
    handlers: (all: Record<string, Handler>): Record<string, Handler> =>
      Object.fromEntries(Object.entries(all).map(([topic, handler]) => [topic, watched(handler)])),
  };
}
