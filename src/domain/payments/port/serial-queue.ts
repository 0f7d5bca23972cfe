import type { Store } from "@/core/database/database";
import { withTimeout } from "@/core/base/with-timeout";
import type { PaymentExtras } from "./stripe";

/** A run of a key's task. Callers share it until it starts. */
type Run<T> = { also: PaymentExtras; begun: boolean; result: Promise<T> };

/** On a database server, a task that takes longer than this may be waiting for an answer that never comes. */
const hungMilliseconds = 2_000;

/**
 * Runs one task at a time per key. Callers that arrive during a run share the next run, which starts after they called
 * and does what any of them asked for. On a database server the queue doesn't wait for a hung task, so tasks must also
 * be safe to run concurrently.
 */
export function serialQueue<T>() {
  /** The last run of each key, by database. */
  const queues = new WeakMap<Store, Map<string, Run<T>>>();

  return (
    store: Store,
    key: string,
    also: PaymentExtras,
    task: (also: PaymentExtras) => Promise<T>,
  ): Promise<T> => {
    const runs = queues.get(store) ?? new Map<string, Run<T>>();
    queues.set(store, runs);
    const last = runs.get(key);
    if (last && !last.begun) {
      last.also.warnings ||= also.warnings ?? false;
      last.also.refunds ||= also.refunds ?? false;
      return last.result;
    }
    const begin = () => {
      run.begun = true;
      return task(run.also);
    };
    const forget = () => {
      if (runs.get(key) === run) runs.delete(key);
    };
    const before = last && (store.remote ? withTimeout(hungMilliseconds, last.result) : last.result);
    const result = Promise.resolve(before).then(begin, begin);
    const run: Run<T> = { also: { ...also }, begun: false, result };
    runs.set(key, run);
    result.then(forget, forget);
    return result;
  };
}
