/** What goes wrong on purpose. Everything counts down or holds until it is switched off. */
export type Faults = {
  api: {
    /** Every call waits so long before it is looked at. */
    latencyMs: number;
    /** Every call's connection is cut, as if Discord were not there. */
    away: boolean;
    /** Pages of messages come oldest first, as other servers than Discord's give them. */
    oldestFirst: boolean;
    /** Messages without a thread say `thread: null`, which Discord leaves out. */
    nullThreads: boolean;
    /** Taken one after the other by the calls that they fit. */
    next: ApiFault[];
  };
  gateway: {
    /** Nobody can connect, and those connected are cut off when it is switched on. */
    away: boolean;
    /** Connections stand, but nothing comes from this side: no acknowledgement, no event. */
    mute: boolean;
    /** What is sent is not JSON. */
    garbage: boolean;
  };
};

export type ApiFault = {
  fail: 401 | 403 | 429 | 500 | 502 | 503 | "drop" | "answer";
  /** Of `answer`: what comes instead, to the letter. */
  answer?: { status: number; body?: unknown; headers: Record<string, string> } | undefined;
  count: number;
  /** `before`: the call has no effect. `after`: it has its effect, but the caller isn't told. */
  when: "before" | "after";
  /** Of a 429: whose limit it is said to be, and how long to wait, in seconds. */
  scope: "user" | "global" | "shared";
  retryAfter: number;
  /** Only calls whose path (after `/api/v10`) holds this. */
  path?: string | undefined;
  method?: string | undefined;
};

export function noFaults(): Faults {
  return {
    api: { latencyMs: 0, away: false, oldestFirst: false, nullThreads: false, next: [] },
    gateway: { away: false, mute: false, garbage: false },
  };
}

/** The next fault for this call, counted down. */
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
