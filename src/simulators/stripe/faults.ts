import type { MiddlewareHandler } from "hono";
import { z } from "zod";
import { apiFaults, callFault, cut, takeFault } from "../base/faults";
import type { ErrorBody } from "./api/errors";

const api = apiFaults(
  callFault.extend({ fail: z.union([z.literal([402, 429, 500, 503]), z.literal("drop")]) }),
);
const webhooks = z.object({
  /** How many of the next events are lost for good. */
  drop: z.union([z.int().nonnegative(), z.literal("all")]),
  /** How many times to send each event. */
  repeat: z.int().min(1).max(100),
  /** The longest random delay of an event, so that events overtake each other. */
  shuffleMs: z.number().nonnegative(),
});

/** The faults to set; the others stay. */
export const faultChange = z.object({
  api: api.partial().optional(),
  webhooks: webhooks.partial().optional(),
});

/** Deliberate faults. */
export type Faults = { api: z.output<typeof api>; webhooks: z.output<typeof webhooks> };

export const noFaults = (): Faults => ({
  api: { latencyMs: 0, away: false, next: [] },
  webhooks: { drop: 0, repeat: 1, shuffleMs: 0 },
});

/** Whether to lose this event; counts it down. */
export function takeDrop({ webhooks: faults }: Faults): boolean {
  if (faults.drop === "all") return true;
  if (faults.drop <= 0) return false;
  faults.drop -= 1;
  return true;
}

/** Passes API calls on, or fails them as the faults say. */
export function faultGate({ api }: Faults, requestId: () => string): MiddlewareHandler {
  return async (c, next) => {
    const fault = await takeFault(api, c.req);
    if (fault === null) return next();
    if (fault !== "away" && fault.when === "after") await next();
    c.res = fault === "away" || fault.fail === "drop" ? cut() : failure(fault.fail, requestId());
    return undefined;
  };
}

/** Refuses a call while another with its idempotency key is being answered, as Stripe does. */
export function oneOfAKey(): MiddlewareHandler {
  const answering = new Set<string>();
  return async (c, next) => {
    const key = c.req.header("idempotency-key");
    if (key === undefined) return next();
    if (answering.has(key)) {
      c.res = Response.json({ error: inUse }, { status: 409 });
      return undefined;
    }
    answering.add(key);
    await next().finally(() => answering.delete(key));
    return undefined;
  };
}

const inUse: ErrorBody = {
  type: "idempotency_error",
  code: "idempotency_key_in_use",
  message:
    "There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through).",
};

type Status = 402 | 429 | 500 | 503;

function failure(status: Status, requestId: string): Response {
  const headers = { "request-id": requestId };
  return Response.json({ error: errors[status] }, { status, headers });
}

const errors: Record<Status, ErrorBody> = {
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
  500: { type: "api_error", message: "An unknown error occurred." },
  503: { type: "api_error", message: "Stripe is temporarily unavailable. Please try again later." },
};
