import type { Context, MiddlewareHandler } from "hono";
import { refusals } from "../errors";
import { cut, takeFault } from "../../base/faults";
import type { ApiFault } from "../faults";
import type { World } from "../world";
import type { Buckets } from "./buckets";
import { routeOf } from "./limits";
import { limited, refusalResponse } from "./refusals";

/** Applies faults and limits to every call, and counts the answers. */
export function gate(world: World, buckets: Buckets): MiddlewareHandler {
  return async (c, next) => {
    const { tally } = world;
    const path = pathOf(c);
    const fault = await takeFault(world.faults.api, { method: c.req.method, path });
    if (fault !== null) tally.faulted += 1;
    if (fault === null || (fault !== "away" && fault.when === "after"))
      await through(world, buckets, c, next);
    if (fault !== null) c.res = fault === "away" || fault.fail === "drop" ? cut() : failure(fault);
    tally.countAnswer(routeOf(c.req.method, path).route);
    if (!countsAsInvalid(c.res)) return;
    tally.invalid += 1;
    if (fault !== null) tally.invalidFaulted += 1;
  };
}

async function through(world: World, buckets: Buckets, c: Context, next: () => Promise<void>) {
  const who = c.req.header("authorization") ?? "nobody";
  if (isWrongBot(world, who)) {
    c.res = refusalResponse(refusals.unauthorized());
    return;
  }
  const { headers, overrun } = buckets({ method: c.req.method, path: pathOf(c), who });
  if (overrun) {
    world.tally.countOverrun(routeOf(c.req.method, pathOf(c)).route, overrun.scope);
    c.res = limited(overrun.scope, overrun.retryMs / 1000, headers);
    return;
  }
  await next();
  for (const [name, value] of Object.entries(headers)) c.res.headers.set(name, value);
  c.res.headers.set("via", "1.1 google");
}

/** The path after `/api` and the version. */
function pathOf(c: Context): string {
  return new URL(c.req.url).pathname.replace(/^\/api(\/v\d+)?/, "");
}

function isWrongBot(world: World, authorization: string): boolean {
  return authorization.startsWith("Bot ") && authorization !== `Bot ${world.secrets.botToken}`;
}

function countsAsInvalid({ status, headers }: Response): boolean {
  if (status === 429) return headers.get("x-ratelimit-scope") !== "shared";
  return status === 401 || status === 403;
}

function failure(fault: ApiFault): Response {
  if (fault.fail === "answer") {
    const { status, body, headers } = fault.answer ?? { status: 200, headers: {} };
    return new Response(body === undefined ? null : JSON.stringify(body), {
      status,
      headers: { "content-type": "application/json", ...headers },
    });
  }
  if (fault.fail === 429) return limited(fault.scope, fault.retryAfter);
  if (fault.fail === 401) return refusalResponse(refusals.unauthorized());
  if (fault.fail === 403) return refusalResponse(refusals.missingPermissions());
  const message = fault.fail === 500 ? "500: Internal Server Error" : `${fault.fail}: Service Unavailable`;
  return Response.json({ message, code: 0 }, { status: fault.fail === "drop" ? 500 : fault.fail });
}
