import type { REST } from "discord.js";

type Bucket = { limit: number; remaining: number; resetsAt: number };

const shortestNapMilliseconds = 50;

/**
 * Keeps what Discord's headers say of a few routes, to choose a way that is free right now. Obeying a
 * bucket is the REST client's own work; this only keeps calls from queueing up in one while another is free.
 */
export function watchBuckets(rest: REST, routes: Record<string, RegExp>) {
  const seen = new Map<string, Bucket>();
  const underWay = new Map<string, number>();
  rest.on("response", ({ method, path }, { headers }) => {
    const name = Object.keys(routes).find((one) => one === method && routes[one]?.test(path));
    const read = (header: string) => Number(headers.get(`x-ratelimit-${header}`) ?? Number.NaN);
    const [limit, remaining, after] = [read("limit"), read("remaining"), read("reset-after")];
    if (!name || Number.isNaN(limit + remaining + after)) return;
    seen.set(name, { limit, remaining, resetsAt: Date.now() + after * 1000 });
  });
  const room = (name: string): number => {
    const known = seen.get(name);
    if (!known) return 1;
    return Date.now() >= known.resetsAt ? known.limit : known.remaining;
  };
  const count = (name: string) => underWay.get(name) ?? 0;
  return {
    /** Whether a call on this route would go out at once. */
    isFree: (name: string): boolean => room(name) > count(name),
    /** Until one of them may be free again. */
    async untilFree(names: string[]): Promise<void> {
      const resets = names.map((name) => seen.get(name)?.resetsAt ?? 0);
      const wait = Math.min(...resets) - Date.now();
      await Bun.sleep(Math.max(wait, shortestNapMilliseconds));
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
