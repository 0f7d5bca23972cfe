import type { Ctx } from "@/core/context";
import type { Metrics } from "@/core/metrics";
import { newTrace } from "@/core/trace";

export type RequestLog = ReturnType<typeof requestLog>;

/**
 * Every request has an id that its answer bears too, one line in the log, and is counted. A path is told
 * by its route's pattern, so that neither the log nor the metrics hold what a client made up. A refusal is
 * told by its code: which guesses failed, who was kept out of what, which door was tried.
 */
export function requestLog({ log }: Pick<Ctx, "log">, metrics: Metrics) {
  const count = metrics.counter("latchkey_requests_total", "Requests answered.", [
    "method",
    "route",
    "status",
  ]);
  const took = metrics.histogram("latchkey_request_seconds", "How long requests took.", ["route"]);
  /** Takes note of a request that has just come; what is returned takes note of its answer. */
  return (asked: string) => {
    const began = performance.now();
    const id = newTrace();
    return {
      id,
      answered(route: string, { headers, status }: Pick<Response, "headers" | "status">, refused?: string) {
        const milliseconds = Math.round((performance.now() - began) * 10) / 10;
        const method = knownMethods.has(asked) ? asked : "OTHER";
        headers.set("X-Request-Id", id);
        count(method, route, status);
        took(milliseconds / 1000, route);
        const why = refused === undefined ? {} : { code: refused };
        log.info("request", { request: id, method, route, status, ...why, milliseconds });
      },
    };
  };
}

const knownMethods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
