import { z } from "zod";

/** A fault for the next matching calls. */
export const callFault = z.object({
  count: z.int().positive().default(1),
  /** `before`: the call has no effect. `after`: it has its effect, but the answer is lost. */
  when: z.enum(["before", "after"]).default("before"),
  /** Only calls whose path contains this. */
  path: z.string().optional(),
  method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]).optional(),
});
type CallFault = z.output<typeof callFault>;

/** Deliberate faults of an HTTP API, until switched off or used up. */
export const apiFaults = <F extends z.ZodType<CallFault>>(next: F) =>
  z.object({
    /** How long every call waits first; lowering it also frees calls that are already waiting. */
    latencyMs: z.number().nonnegative(),
    /** Cuts every call's connection, as if the vendor were not there. */
    away: z.boolean(),
    /** Matching calls use these up in order. */
    next: z.array(next),
  });

const longestNap = 50;

type ApiFaults<F> = { latencyMs: number; away: boolean; next: F[] };

/** Waits for the latency, then returns this call's fault and counts it down. */
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

/** A body that breaks off before its first byte: the caller sees a connection reset, and no answer. */
export function cut(): Response {
  return new Response(new ReadableStream({ start: (body) => body.error() }));
}
