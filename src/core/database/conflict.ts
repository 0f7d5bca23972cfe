import { commit, type Write } from "./commit";
import type { Store } from "./database";
import { Refusal } from "../base/refusal";

/** Each failed try means that another commit was stored; after this many in a row, the guard can never hold. */
const mostTries = 250;

/** Whether a commit failed because another was stored first, so that the rows it was decided by have changed. */
export const isConflict = (error: unknown) => error instanceof Refusal && error.code === "conflict";

/**
 * Calls `attempt`, which reads, decides and commits, and calls it again for as long as `isLost` says that another
 * commit was stored first. `again` is false in the first call. Throws the last failure after 250 tries.
 */
export async function retryOnConflict<T>(
  attempt: (again: boolean) => Promise<T>,
  isLost: (error: unknown) => boolean = isConflict,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt(tries > 1);
    } catch (error) {
      if (!isLost(error) || tries === mostTries) throw error;
    }
  }
}

/** Commits, unless another commit was stored first (`conflict`): then it writes nothing and resolves to false. */
export async function commitIfFirst(store: Store, writes: Write[]): Promise<boolean> {
  try {
    await commit(store, writes);
    return true;
  } catch (error) {
    if (!isConflict(error)) throw error;
    return false;
  }
}
