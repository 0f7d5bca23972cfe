import type { Ctx } from "./context";
import type { Store } from "./database";
import { tooMany } from "./limits";

/** Whose large piece of work is under way, by store. */
const underWay = new WeakMap<Store, Set<string>>();
/** What somebody who is refused should wait. */
const waitMilliseconds = 10_000;

/**
 * For work that one person may have done for them once at a time, in each process: begins it, and returns what ends
 * it. Refuses with `rate_limited` while the work before is under way.
 */
export function takeTurn({ store }: Ctx, who: string): () => void {
  const all = underWay.get(store) ?? new Set<string>();
  underWay.set(store, all);
  if (all.has(who)) throw tooMany(waitMilliseconds);
  all.add(who);
  return () => void all.delete(who);
}
