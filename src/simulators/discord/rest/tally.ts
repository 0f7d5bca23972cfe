/** Counts the calls and their answers, to show whether a client behaves. */
export class Tally {
  requests = 0;
  routes: Record<string, number> = {};
  /** 429s not caused by a fault, by the scope of the limit. */
  limited = { user: 0, global: 0 };
  /** 429s not caused by a fault, by route. */
  overrun: Record<string, number> = {};
  /** 429s and failures caused by a fault. */
  faulted = 0;
  /** Answers 401, 403 and 429; Discord allows 10,000 in ten minutes. */
  invalid = 0;
  /** Those of `invalid` that a fault caused. */
  invalidFaulted = 0;
  identifies = 0;
  resumes = 0;
  /** Resumptions that a fault postponed. */
  putOff = 0;
  /** Unix milliseconds of each IDENTIFY, including early ones that were refused. */
  identifiedAt: number[] = [];
  /** Unix milliseconds of each attempt to open a socket to the gateway, including refused ones. */
  triedAt: number[] = [];
  /** The most gateway sockets open at once. */
  mostSockets = 0;

  countAnswer(route: string) {
    this.requests += 1;
    this.routes[route] = (this.routes[route] ?? 0) + 1;
  }

  /** Counts a 429 not caused by a fault. */
  countOverrun(route: string, scope: "user" | "global") {
    this.limited[scope] += 1;
    this.overrun[route] = (this.overrun[route] ?? 0) + 1;
  }
}
