/** What Discord's headers say of one route: how many calls are left, and until when. */
export type Bucket = {
  /** Whether another call may go out now. */
  hasRoom(): boolean;
  /** Sends one, and reads from its answer how the bucket stands. */
  during(call: () => Promise<Response>): Promise<Response>;
};

/** Keeps calls out of an exhausted bucket: https://discord.com/developers/docs/topics/rate-limits */
export function createBucket(now: () => number = () => performance.now()): Bucket {
  let underWay = 0;
  let left = Number.POSITIVE_INFINITY;
  let until = 0;
  const learn = ({ status, headers }: Response) => {
    const seconds = Number(headers.get(status === 429 ? "retry-after" : "x-ratelimit-reset-after"));
    const remaining = status === 429 ? 0 : Number(headers.get("x-ratelimit-remaining") ?? Number.NaN);
    if (!Number.isFinite(seconds) || !Number.isFinite(remaining)) return;
    // answers may overtake one another; in one window what is left only falls
    left = now() < until ? Math.min(left, remaining) : remaining;
    until = Math.max(until, now() + seconds * 1000);
  };
  return {
    hasRoom: () => now() >= until || left > underWay,
    async during(call) {
      underWay += 1;
      try {
        const response = await call();
        learn(response);
        return response;
      } finally {
        underWay -= 1;
      }
    },
  };
}
