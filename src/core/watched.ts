import type { Ctx } from "./context";
import { reasonOf } from "./log";
import type { Metrics } from "./metrics";
import type { Handler } from "./outbox";

/** The same handlers, each of whose jobs is counted and has its line in the log. */
export function watchedHandlers(
  ctx: Ctx,
  metrics: Metrics,
  handlers: Record<string, Handler>,
): Record<string, Handler> {
  const count = metrics.counter("latchkey_jobs_total", "Deliveries that this process tried.", [
    "topic",
    "result",
  ]);
  const watched =
    (topic: string, handler: Handler): Handler =>
    async (job) => {
      const began = performance.now();
      try {
        const writes = await handler(job);
        count(topic, "done");
        ctx.log.info("job", {
          topic,
          job: job.subject,
          attempts: job.attempts + 1,
          milliseconds: Math.round(performance.now() - began),
        });
        return writes;
      } catch (error) {
        count(topic, "failed");
        ctx.log.debug("job failed", { topic, job: job.subject, reason: reasonOf(error) });
        throw error;
      }
    };
  return Object.fromEntries(
    Object.entries(handlers).map(([topic, handler]) => [topic, watched(topic, handler)]),
  );
}
