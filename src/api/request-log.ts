import { createMiddleware } from "hono/factory";
import { routePath } from "hono/route";
import type { Env, Shop } from "./shop";

/** Unlike that of any other start of the shop. */
const boot = crypto.randomUUID().slice(0, 8);
let number = 0;

/**
 * Every request has an id that its answer bears too, one line in the log, and is counted. A path is told
 * by its route's pattern, so that neither the log nor the metrics hold what a client made up.
 */
export function observed({ ctx, metrics }: Shop) {
  const count = metrics.counter("latchkey_requests_total", "Requests answered.", [
    "method",
    "route",
    "status",
  ]);
  const took = metrics.histogram("latchkey_request_seconds", "How long requests took.", ["route"]);
  return createMiddleware<Env>(async (c, next) => {
    const began = performance.now();
    const request = `${boot}-${(number += 1).toString(36).padStart(7, "0")}`;
    c.set("request", request);
    await next();
    const milliseconds = Math.round((performance.now() - began) * 10) / 10;
    const method = knownMethods.has(c.req.method) ? c.req.method : "OTHER";
    // the pattern of whatever answered
    const route = routePath(c);
    const { status } = c.res;
    c.res.headers.set("X-Request-Id", request);
    count(method, route, status);
    took(milliseconds / 1000, route);
    ctx.log.info("request", { request, method, route, status, milliseconds });
  });
}

const knownMethods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
