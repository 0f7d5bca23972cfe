import type { Buckets } from "@/gateways/discord/buckets";

const shortestNapMilliseconds = 50;

/**
 * Ways to write the same thing, each with a bucket of its own, to choose one that is free right now. Obeying a
 * bucket is done elsewhere; this only keeps calls from queueing up in one while another is free.
 */
export function watchWays<Name extends string>(buckets: Buckets, ways: Record<Name, string | null>) {
  const standing = (name: Name) => buckets.standing(ways[name] ?? "");
  const underWay = new Map<Name, number>();
  const count = (name: Name) => underWay.get(name) ?? 0;
  return {
    /** Whether a call on this way would go out at once. */
    isFree: (name: Name): boolean => standing(name).left > count(name),
    /** Until one of them may be free again. */
    async untilFree(names: Name[]): Promise<void> {
      const waits = names.map((name) => standing(name).milliseconds);
      await Bun.sleep(Math.max(Math.min(...waits), shortestNapMilliseconds));
    },
    async during<T>(name: Name, call: () => Promise<T>): Promise<T> {
      underWay.set(name, count(name) + 1);
      try {
        return await call();
      } finally {
        underWay.set(name, count(name) - 1);
      }
    },
  };
}
