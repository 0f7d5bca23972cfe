import { type Context, Hono } from "hono";
import { apiVersion } from "../events";
import type { World } from "../world";
import { StripeRefusal } from "./errors";
import { expand } from "./expand";
import { parseForm } from "./form";
import type { Reply } from "../ledger";
import { checkKey, checkPermissions } from "./keys";
import { refuseOnDemand } from "./refuse";
import type { Endpoint } from "./lists";
import { routes } from "./routes";

type Answer = { status: number; body: string; replayed?: boolean; unstarted?: boolean };
type ApiRequest = {
  method: string;
  path: string;
  id: string;
  body: string;
  requestId: string;
  key: string | null;
};

/** The HTTP API under `/v1`. */
export function apiApp(world: World): Hono {
  const app = new Hono();
  for (const [method, path, resource, endpoint] of routes)
    app.on(method, `/v1/${path}`, async (c) => {
      const asked = await read(c, world);
      const check = () => {
        const key = checkKey(c.req.header("authorization"), world.keys);
        checkPermissions(world.keys.get(key) ?? [], key, { ...asked, resource });
        refuseOnDemand(world, { ...asked, secret: key });
        world.live = key.includes("_live_");
      };
      return reply(c, asked, answer(world, asked, endpoint, check));
    });
  app.all("/v1/*", async (c) => {
    const asked = await read(c, world);
    const message = `Unrecognized request URL (${asked.method}: ${asked.path}).`;
    return reply(c, asked, refusalAnswer(new StripeRefusal(404, { type: "invalid_request_error", message })));
  });
  return app;
}

async function read(c: Context, world: World): Promise<ApiRequest> {
  const body = c.req.method === "POST" ? await c.req.text() : new URL(c.req.url).search.slice(1);
  return {
    method: c.req.method,
    path: c.req.path,
    id: c.req.param("id") ?? "",
    body,
    requestId: world.ids.next("req_", 14),
    key: c.req.method === "POST" ? (c.req.header("idempotency-key") ?? null) : null,
  };
}

function answer(world: World, asked: ApiRequest, endpoint: Endpoint, check: () => void): Answer {
  try {
    check();
    return asked.key === null ? run(world, asked, endpoint) : runOnce(world, asked, asked.key, endpoint);
  } catch (error) {
    if (error instanceof StripeRefusal) return refusalAnswer(error);
    throw error;
  } finally {
    world.ledger.save();
  }
}

function runOnce(world: World, asked: ApiRequest, key: string, endpoint: Endpoint): Answer {
  // equal requests have equal fingerprints
  const fingerprint = Bun.hash(`${asked.method} ${asked.path}\n${asked.body}`).toString(16);
  const earlier = earlierReply(world, key, fingerprint);
  if (earlier) return { status: earlier.status, body: earlier.body, replayed: true };
  const fresh = run(world, asked, endpoint);
  // Stripe stores refusals too, except those of parameters, which it checks before doing anything
  if (!fresh.unstarted)
    world.ledger.put("replies", {
      id: key,
      at: world.now(),
      fingerprint,
      status: fresh.status,
      body: fresh.body,
    });
  return fresh;
}

const day = 24 * 60 * 60 * 1000;

/** The earlier answer under this key, while it is valid. Refuses a different request under the same key. */
function earlierReply(world: World, key: string, fingerprint: string): Reply | undefined {
  const reply = world.ledger.replies.get(key);
  if (reply === undefined || world.now() - reply.at > day) return undefined;
  if (reply.fingerprint === fingerprint) return reply;
  throw new StripeRefusal(400, {
    type: "idempotency_error",
    message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
  });
}

function run(world: World, asked: ApiRequest, endpoint: Endpoint): Answer {
  const params = parseForm(asked.body);
  world.cause = { id: asked.requestId, idempotency_key: asked.key };
  try {
    const result = expand(world, endpoint({ world, params, path: asked.path, id: asked.id }), params);
    return { status: 200, body: JSON.stringify(result, null, 2) };
  } catch (error) {
    if (error instanceof StripeRefusal) return refusalAnswer(error);
    throw error;
  } finally {
    world.cause = null;
  }
}

function refusalAnswer({ status, body }: StripeRefusal): Answer {
  const unstarted = body.code?.startsWith("parameter_") ?? false;
  return { status, body: JSON.stringify({ error: body }, null, 2), unstarted };
}

function reply(c: Context, asked: ApiRequest, { status, body, replayed }: Answer): Response {
  const headers = new Headers({
    "content-type": "application/json",
    "request-id": asked.requestId,
    "stripe-version": c.req.header("stripe-version") ?? apiVersion,
  });
  if (asked.key !== null) headers.set("idempotency-key", asked.key);
  if (replayed) headers.set("idempotent-replayed", "true");
  return new Response(body, { status, headers });
}
