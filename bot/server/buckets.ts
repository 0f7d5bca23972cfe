import type { REST } from "discord.js";

/**
 * Keeps what Discord's headers say of a few routes, to choose a way that is free right now. Waiting for a
 * bucket is the REST client's own work.
 */
export function watchBuckets(rest: REST, routes: Record<string, RegExp>) {
  const seen = new Map<string, { remaining: number; resetsAt: number }>();
  const underWay = new Map<string, number>();
  rest.on("response", ({ method, path }, { headers }) => {
    const name = Object.keys(routes).find((one) => one.startsWith(method) && routes[one]?.test(path));
    const [remaining, after] = [headers.get("x-ratelimit-remaining"), headers.get("x-ratelimit-reset-after")];
    if (!name || remaining === null || after === null) return;
    seen.set(name, { remaining: Number(remaining), resetsAt: Date.now() + Number(after) * 1000 });
  });
  const count = (name: string) => underWay.get(name) ?? 0;
  return {
    /** Whether a call on this route would go out at once. */
    isFree(name: string): boolean {
      const known = seen.get(name);
      if (!known || Date.now() >= known.resetsAt) return count(name) === 0;
      return known.remaining > count(name);
    },
    async during<T>(name: string, call: () => Promise<T>): Promise<T> {
      underWay.set(name, count(name) + 1);
      try {
        return await call();
      } finally {
        underWay.set(name, count(name) - 1);
      }
    },
  };
}
