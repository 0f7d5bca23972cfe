import type { Ctx } from "../database/context";
import { reasonOf } from "../log/log";
import type { Metrics } from "../log/metrics";
import type { Observe } from "./lane";

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
