import { z } from "zod";
import { apiFaults, callFault } from "../base/faults";

const answer = z.object({
  status: z.int().min(200).max(599),
  body: z.unknown(),
  headers: z.record(z.string(), z.string()).default({}),
});
const failing = callFault.extend({
  fail: z.union([z.literal([401, 403, 429, 500, 502, 503]), z.literal(["drop", "answer"])]),
  /** For `answer`: the exact answer. */
  answer: answer.optional(),
  /** For a 429: the scope of the limit, and how many seconds to wait. */
  scope: z.enum(["user", "global", "shared"]).default("user"),
  retryAfter: z.number().nonnegative().default(1),
});
export type ApiFault = z.output<typeof failing>;

const api = apiFaults(failing).extend({
  /** Pages of messages come oldest first, as from servers other than Discord's. */
  oldestFirst: z.boolean(),
  /** Messages without a thread have `thread: null`, which Discord leaves out. */
  nullThreads: z.boolean(),
});
const gateway = z.object({
  /** Nobody can connect, and open connections are cut. */
  away: z.boolean(),
  /** Connections stay open, but the gateway sends nothing: no acknowledgement, no event. */
  mute: z.boolean(),
  /** The gateway sends text that is not JSON. */
  garbage: z.boolean(),
  /** How many of the next resumptions get an INVALID_SESSION which says that the session can be resumed later. */
  putOff: z.int().nonnegative(),
});

/** The faults to set; the others stay. */
export const faultChange = z.object({ api: api.partial().optional(), gateway: gateway.partial().optional() });

/** Deliberate faults. */
export type Faults = { api: z.output<typeof api>; gateway: z.output<typeof gateway> };

export const noFaults = (): Faults => ({
  api: { latencyMs: 0, away: false, oldestFirst: false, nullThreads: false, next: [] },
  gateway: { away: false, mute: false, garbage: false, putOff: 0 },
});
