/** What goes wrong on purpose, until it is switched off or used up. */
export type Faults = {
  api: {
    /** How long every call waits first. */
    latencyMs: number;
    /** Every call's connection is cut, as if Stripe were not there. */
    away: boolean;
    /** Used one after the other by the calls that match. */
    next: ApiFault[];
  };
  webhooks: {
    /** How many of the next events are lost for good. */
    drop: number | "all";
    /** How many times each event is sent. */
    repeat: number;
    /** How long each event waits first. */
    delayMs: number;
    /** Each event waits a random time up to this, so that they overtake each other. */
    shuffleMs: number;
  };
};

export type ApiFault = {
  fail: 402 | 429 | 500 | 503 | "drop";
  count: number;
  /** `before`: the call has no effect. `after`: it has its effect, but the answer is lost. */
  when: "before" | "after";
  /** Only calls whose path starts with this. */
  path?: string | undefined;
  method?: "GET" | "POST" | undefined;
};

export function noFaults(): Faults {
  return {
    api: { latencyMs: 0, away: false, next: [] },
    webhooks: { drop: 0, repeat: 1, delayMs: 0, shuffleMs: 0 },
  };
}

/** The next fault for this call; counts it down. */
export function takeFault(faults: Faults, method: string, path: string): ApiFault | null {
  if (faults.api.away) return { fail: "drop", count: 1, when: "before" };
  const { next } = faults.api;
  const fault = next.find(
    (one) =>
      one.count > 0 &&
      (one.method === undefined || one.method === method) &&
      path.startsWith(one.path ?? "/v1/"),
  );
  if (fault === undefined) return null;
  fault.count -= 1;
  faults.api.next = next.filter((one) => one.count > 0);
  return fault;
}

/** True if this event is to be lost. */
export function takeDrop({ webhooks }: Faults): boolean {
  if (webhooks.drop === "all") return true;
  if (webhooks.drop <= 0) return false;
  webhooks.drop -= 1;
  return true;
}
