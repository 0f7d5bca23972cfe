/** What goes wrong on purpose, until it is switched off or used up. */
export type Faults = {
  api: {
    /** How long every call waits first. */
    latencyMs: number;
    /** Every call's connection is cut, as if Discord were not there. */
    away: boolean;
    /** Pages of messages come oldest first, as servers other than Discord's send them. */
    oldestFirst: boolean;
    /** Messages without a thread have `thread: null`, which Discord leaves out. */
    nullThreads: boolean;
    /** Used one after the other by the calls that match. */
    next: ApiFault[];
  };
  gateway: {
    /** Nobody can connect, and open connections are cut. */
    away: boolean;
    /** Connections stay open, but nothing is sent: no acknowledgement, no event. */
    mute: boolean;
    /** What is sent is not JSON. */
    garbage: boolean;
  };
};

export type ApiFault = {
  fail: 401 | 403 | 429 | 500 | 502 | 503 | "drop" | "answer";
  /** Of `answer`: the exact answer. */
  answer?: { status: number; body?: unknown; headers: Record<string, string> } | undefined;
  count: number;
  /** `before`: the call has no effect. `after`: it has its effect, but the answer is lost. */
  when: "before" | "after";
  /** Of a 429: the scope of the limit, and how many seconds to wait. */
  scope: "user" | "global" | "shared";
  retryAfter: number;
  /** Only calls whose path (after `/api/v10`) contains this. */
  path?: string | undefined;
  method?: string | undefined;
};

export function noFaults(): Faults {
  return {
    api: { latencyMs: 0, away: false, oldestFirst: false, nullThreads: false, next: [] },
    gateway: { away: false, mute: false, garbage: false },
  };
}

/** The next fault for this call; counts it down. */
export function takeFault(faults: Faults, method: string, path: string): ApiFault | "away" | null {
  if (faults.api.away) return "away";
  const fault = faults.api.next.find((one) => one.count > 0 && fits(one, method, path));
  if (fault === undefined) return null;
  fault.count -= 1;
  faults.api.next = faults.api.next.filter((one) => one.count > 0);
  return fault;
}

function fits(fault: ApiFault, method: string, path: string): boolean {
  return (fault.method === undefined || fault.method === method) && path.includes(fault.path ?? "");
}
