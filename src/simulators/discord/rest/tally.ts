/** The calls and how they were answered: whether a client behaves. */
export class Tally {
  requests = 0;
  routes: Record<string, number> = {};
  /** 429s that no fault ordered, by the scope of the limit. */
  limited = { user: 0, global: 0 };
  /** The same, by route. */
  overrun: Record<string, number> = {};
  /** 429s and failures that a fault ordered. */
  faulted = 0;
  /** Answers 401, 403 and 429, of which Discord allows 10,000 in ten minutes. */
  invalid = 0;
  /** Of those, the ones that a fault ordered. */
  invalidFaulted = 0;
  identifies = 0;
  resumes = 0;
  /** Resumptions that a fault put off. */
  putOff = 0;
  /** Unix milliseconds of each IDENTIFY, including those that came too soon. */
  identifiedAt: number[] = [];
  /** Unix milliseconds of each attempt to open a socket to the gateway, including refused ones. */
  triedAt: number[] = [];
  /** The most gateway sockets open at once. */
  mostSockets = 0;

  countAnswer(route: string) {
    this.requests += 1;
    this.routes[route] = (this.routes[route] ?? 0) + 1;
  }

  /** Counts a 429 that no fault ordered. */
  countOverrun(route: string, scope: "user" | "global") {
    this.limited[scope] += 1;
    this.overrun[route] = (this.overrun[route] ?? 0) + 1;
  }
}
