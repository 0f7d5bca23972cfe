/** What goes wrong on purpose. Everything counts down or holds until it is switched off. */
export type Faults = {
  api: {
    /** Every call waits so long before it is looked at. */
    latencyMs: number;
    /** Every call's connection is cut, as if Stripe were not there. */
    away: boolean;
    /** Taken one after the other by the calls that they fit. */
    next: ApiFault[];
  };
  webhooks: {
    /** Events lost for good from now on: so many, or all while it holds. */
    drop: number | "all";
    /** How many times each event is sent; 1 is once. */
    repeat: number;
    /** Each sending waits so long first. */
    delayMs: number;
    /** Each sending waits a random time up to this, so that they overtake each other. */
    shuffleMs: number;
  };
};

export type ApiFault = {
  fail: 402 | 429 | 500 | 503 | "drop";
  count: number;
  /** `before`: the call has no effect. `after`: it has its effect, but the caller isn't told. */
  when: "before" | "after";
  /** Only calls whose path starts so. */
  path?: string;
  method?: "GET" | "POST";
};

export function noFaults(): Faults {
  return {
    api: { latencyMs: 0, away: false, next: [] },
    webhooks: { drop: 0, repeat: 1, delayMs: 0, shuffleMs: 0 },
  };
}

/** The next fault for this call, counted down. */
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

/** True when this event is to be lost. */
export function takeDrop({ webhooks }: Faults): boolean {
  if (webhooks.drop === "all") return true;
  if (webhooks.drop <= 0) return false;
  webhooks.drop -= 1;
  return true;
}
