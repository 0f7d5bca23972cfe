import type { Ctx } from "@/core/database/context";
import type { Metrics } from "@/core/log/metrics";
import { newTrace } from "@/core/log/trace";

export type RequestLog = ReturnType<typeof requestLog>;

/**
 * Gives every request an id (also sent in the answer) and one log line, and counts it. Logs paths as the route's
 * pattern, so neither the log nor the metrics contain text that a client made up. Logs refusals by code, which shows
 * failed guesses and denied access.
 */
export function requestLog({ log }: Pick<Ctx, "log">, metrics: Metrics) {
  const count = metrics.counter("latchkey_requests_total", "Requests answered.", [
    "method",
    "route",
    "status",
  ]);
  const took = metrics.histogram("latchkey_request_seconds", "How long requests took.", ["route"]);
  /** Call when a request arrives; call the result's `answered` with its answer. */
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
