import type { Ctx } from "./context";
import type { Store } from "./database";
import { tooMany } from "./limits";
import { othersTurn } from "./others-turn";

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

/** When each caller's next call may begin, by store. Forgotten once the caller's last call has begun. */
const nextTurns = new WeakMap<Store, Map<string, Promise<void>>>();

/**
 * Resolves when a caller's call may begin: one each turn of the event loop, in order. Local queries are synchronous, so
 * that everybody else would wait for everything that one caller asks at once.
 */
export function ownTurn({ store }: Ctx, who: string): Promise<void> | undefined {
  const all = nextTurns.get(store) ?? new Map<string, Promise<void>>();
  nextTurns.set(store, all);
  const mine = all.get(who);
  const next = mine ? mine.then(othersTurn) : othersTurn();
  all.set(who, next);
  void next.then(() => {
    if (all.get(who) === next) all.delete(who);
  });
  return mine;
}
