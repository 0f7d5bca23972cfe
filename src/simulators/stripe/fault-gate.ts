import type { MiddlewareHandler } from "hono";
import { type ApiFault, takeFault } from "./faults";
import { type ErrorBody, StripeRefusal } from "./api/errors";
import type { World } from "./world";

/** Lets calls through, or makes them fail as the faults say. */
export function faultGate(world: World): MiddlewareHandler {
  return async (c, next) => {
    const { latencyMs } = world.faults.api;
    if (latencyMs > 0) await Bun.sleep(latencyMs);
    const fault = takeFault(world.faults, c.req.method, c.req.path);
    if (fault === null) return next();
    if (fault.when === "after") await next();
    c.res = fault.fail === "drop" ? cut() : failure(fault.fail, world.ids.next("req_", 14));
    return undefined;
  };
}

/** A body that breaks off before its first byte: the caller sees the connection reset, and no answer. */
function cut(): Response {
  return new Response(new ReadableStream({ start: (body) => body.error() }));
}

function failure(status: Exclude<ApiFault["fail"], "drop">, requestId: string): Response {
  const { body } = new StripeRefusal(status, errors[status]);
  return Response.json({ error: body }, { status, headers: { "request-id": requestId } });
}

const errors: Record<Exclude<ApiFault["fail"], "drop">, ErrorBody> = {
  402: {
    type: "card_error",
    code: "card_declined",
    decline_code: "generic_decline",
    message: "Your card was declined.",
  },
  429: {
    type: "rate_limit_error",
    code: "rate_limit",
    message:
      "Request rate limit exceeded. Learn more about rate limits here https://stripe.com/docs/rate-limits.",
  },
  500: {
    type: "api_error",
    message: "An unknown error occurred.",
  },
  503: {
    type: "api_error",
    message: "Stripe is temporarily unavailable. Please try again later.",
  },
};
