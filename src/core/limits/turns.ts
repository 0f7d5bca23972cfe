import type { Ctx } from "../database/context";
import type { Store } from "../database/database";
import { rateLimited } from "./limits";
import { yieldToEventLoop } from "../base/yield";
import { Refusal } from "../base/refusal";

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
  if (all.has(who)) throw rateLimited(waitMilliseconds);
  all.add(who);
  let isOver = false;
  return () => {
    // ended again, as when a reader leaves after the last piece, it would end the next one's turn
    if (!isOver) all.delete(who);
    isOver = true;
  };
}

type Queue = { last: Promise<void>; waiting: number };

/** Each caller's calls that have not begun, by store. Forgotten once the last has begun. */
const queues = new WeakMap<Store, Map<string, Queue>>();
/** More than the limits let a caller ask at once. */
const mostWaiting = 1_000;

/**
 * Resolves to who calls when their call may begin: one each turn of the event loop, in order. Local queries are
 * synchronous, so that everybody else would wait for everything that one caller asks at once. `found` is who called when
 * the request came. After a wait, `again` is asked: what the call came with may have ended. Refuses with `busy`.
 */
export async function inTurn<T>(
  { store }: Ctx,
  who: string,
  { found, again }: { found: T; again: () => Promise<T | null> },
): Promise<T | null> {
  const turn = nextTurn(store, who);
  if (!turn) return found;
  await turn;
  return again();
}

/** Undefined if this call is the first in line. */
function nextTurn(store: Store, who: string): Promise<void> | undefined {
  const all = queues.get(store) ?? new Map<string, Queue>();
  queues.set(store, all);
  const before = all.get(who);
  if (before && before.waiting >= mostWaiting) throw new Refusal("busy");
  const queue = before ?? { last: yieldToEventLoop(), waiting: 0 };
  const mine = before?.last;
  queue.waiting += 1;
  if (before) queue.last = before.last.then(yieldToEventLoop);
  all.set(who, queue);
  void queue.last.then(() => {
    queue.waiting -= 1;
    if (queue.waiting === 0) all.delete(who);
  });
  return mine;
}
