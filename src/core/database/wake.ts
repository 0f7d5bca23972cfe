import type { Store } from "./database";
import type { Topic } from "./topic";

/** Called with the topics of jobs that may be due now. */
type Listener = (topics: ReadonlySet<Topic>) => void;

/** This process's workers, by store. */
const workers = new WeakMap<Store, Set<Listener>>();

/**
 * Calls `listener` for the jobs that this process enqueues; a worker polls for those of other processes. Returns how
 * to stop.
 */
export function onWake(store: Store, listener: Listener): () => void {
  const listeners = workers.get(store) ?? new Set();
  workers.set(store, listeners.add(listener));
  return () => void listeners.delete(listener);
}

/** Wakes this process's workers to check for due jobs of these topics now instead of at their next poll. */
export function wakeWorkers(store: Store, topics: Iterable<Topic>): void {
  const woken = new Set(topics);
  if (woken.size === 0) return;
  for (const listener of workers.get(store) ?? []) listener(woken);
}
