/** The calls and how they were answered: whether a client behaves. */
export type Tally = {
  requests: number;
  routes: Record<string, number>;
  /** 429s that no fault ordered, by the scope of the limit. */
  limited: { user: number; global: number };
  /** The same, by route. */
  overrun: Record<string, number>;
  /** 429s and failures that a fault ordered. */
  faulted: number;
  /** Answers 401, 403 and 429, of which Discord allows 10,000 in ten minutes. */
  invalid: number;
  /** Of those, the ones that a fault ordered. */
  invalidFaulted: number;
  identifies: number;
  resumes: number;
  /** Unix milliseconds of each IDENTIFY, including those that came too soon. */
  identifiedAt: number[];
  /** Unix milliseconds of each attempt to open a socket to the gateway, including refused ones. */
  triedAt: number[];
  /** The most gateway sockets open at once. */
  mostSockets: number;
};

export function emptyTally(): Tally {
  return {
    requests: 0,
    routes: {},
    limited: { user: 0, global: 0 },
    overrun: {},
    faulted: 0,
    invalid: 0,
    invalidFaulted: 0,
    identifies: 0,
    resumes: 0,
    identifiedAt: [],
    triedAt: [],
    mostSockets: 0,
  };
}

export function countAnswer(tally: Tally, route: string) {
  tally.requests += 1;
  tally.routes[route] = (tally.routes[route] ?? 0) + 1;
}

/** Counts a 429 that no fault ordered. */
export function countOverrun(tally: Tally, route: string, scope: "user" | "global") {
  tally.limited[scope] += 1;
  tally.overrun[route] = (tally.overrun[route] ?? 0) + 1;
}
