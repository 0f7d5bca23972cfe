import type { Store } from "@/core/database";
import { within } from "@/core/within";

type Options = { warnings: boolean };
type Entry<T> = { running: Promise<T>; next: { options: Options; result: Promise<T> } | null };

/** A task on a database server that takes longer than this may be waiting for an answer that never comes. */
const hungMilliseconds = 2_000;

/**
 * Runs one task at a time per key. Callers that arrive while one is running share the next run, which starts
 * after they called and does what any of them asked for. On a database server it doesn't wait for a task that hangs,
 * so tasks must also be safe beside each other.
 */
export function serialQueue<T>() {
  /** The tasks in progress, by database. */
  const queues = new WeakMap<Store, Map<string, Entry<T>>>();

  return (
    store: Store,
    key: string,
    options: Options,
    task: (options: Options) => Promise<T>,
  ): Promise<T> => {
    const entries = queues.get(store) ?? new Map<string, Entry<T>>();
    queues.set(store, entries);

    const start = (wanted: Options): Promise<T> => {
      const entry: Entry<T> = { running: task(wanted), next: null };
      entries.set(key, entry);
      const finish = () => {
        if (!entry.next && entries.get(key) === entry) entries.delete(key);
      };
      entry.running.then(finish, finish);
      return entry.running;
    };

    const entry = entries.get(key);
    if (!entry) return start(options);
    if (entry.next) {
      entry.next.options.warnings ||= options.warnings;
      return entry.next.result;
    }
    const wanted = { ...options };
    const startNext = () => start(wanted);
    const ended = store.remote ? within(hungMilliseconds, entry.running) : entry.running;
    entry.next = { options: wanted, result: ended.then(startNext, startNext) };
    return entry.next.result;
  };
}
