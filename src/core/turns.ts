import type { Ctx } from "./context";
import type { Store } from "./database";
import { tooMany } from "./limits";

/** The people whose large piece of work is under way, by store. */
const underWay = new WeakMap<Store, Set<string>>();
/** How long to ask a refused caller to wait. */
const waitMilliseconds = 10_000;

/**
 * Begins work of which one person may have only one piece under way in each process; returns what ends it. Refuses
 * with `rate_limited` while their previous work is under way.
 */
export function takeTurn({ store }: Ctx, who: string): () => void {
  const all = underWay.get(store) ?? new Set<string>();
  underWay.set(store, all);
  if (all.has(who)) throw tooMany(waitMilliseconds);
  all.add(who);
  return () => void all.delete(who);
}
