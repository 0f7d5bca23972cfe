import { commit, type Write } from "./commit";
import type { Store } from "./database";
import { Refusal } from "./refusal";

/** Each failed try means that another commit was stored; this many in a row mean a guard that can never hold. */
const mostTries = 250;

/** Whether a commit failed because another one was stored first, so that what it was decided by no longer holds. */
export const isConflict = (error: unknown) => error instanceof Refusal && error.code === "conflict";

/**
 * Calls `attempt`, which reads, decides and commits, again for as long as other commits are stored first; `again` is
 * false in its first call. `isLost` says which failures mean that. Throws the last one after 250 tries.
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
