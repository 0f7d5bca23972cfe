import { z } from "zod";

/** A fault of the next calls that match. */
export const callFault = z.object({
  count: z.int().positive().default(1),
  /** `before`: the call has no effect. `after`: it has its effect, but the answer is lost. */
  when: z.enum(["before", "after"]).default("before"),
  /** Only calls whose path contains this. */
  path: z.string().optional(),
  method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]).optional(),
});
type CallFault = z.output<typeof callFault>;

/** What goes wrong in an HTTP API, until it is switched off or used up. */
export const apiFaults = <F extends z.ZodType<CallFault>>(next: F) =>
  z.object({
    /** How long every call waits first; calls that are waiting go on when this is lowered. */
    latencyMs: z.number().nonnegative(),
    /** Every call's connection is cut, as if the vendor were not there. */
    away: z.boolean(),
    /** Used one after the other by the calls that match. */
    next: z.array(next),
  });

const longestNap = 50;

type ApiFaults<F> = { latencyMs: number; away: boolean; next: F[] };

/** The fault of this call, after the latency; counts it down. */
export async function takeFault<F extends CallFault>(
  api: ApiFaults<F>,
  { method, path }: { method: string; path: string },
): Promise<F | "away" | null> {
  const came = performance.now();
  for (let left = api.latencyMs; left > 0; left = came + api.latencyMs - performance.now()) {
    await Bun.sleep(Math.min(left, longestNap));
  }
  if (api.away) return "away";
  const fits = (one: F) => (one.method ?? method) === method && path.includes(one.path ?? "");
  const fault = api.next.find((one) => one.count > 0 && fits(one));
  if (fault === undefined) return null;
  fault.count -= 1;
  api.next = api.next.filter(({ count }) => count > 0);
  return fault;
}

/** A body that breaks off before its first byte: the caller sees the connection reset, and no answer. */
export function cut(): Response {
  return new Response(new ReadableStream({ start: (body) => body.error() }));
}
