import { commit, writesHang } from "./commit";
import type { Store } from "./database";
import { expectSameFile } from "./database-file";
import { Refusal } from "../base/refusal";
import { guard } from "./schema";
import { withTimeout } from "../base/with-timeout";
import { lastWrite } from "./resilient-client";

/** How long to rely on the last write's outcome before trying again. */
const believedMilliseconds = 5_000;
/** If the database does not answer within this time, the shop takes no orders. */
const answerMilliseconds = 2_000;

/** The test write under way in a store, if any. */
const probes = new WeakMap<Store, Promise<void>>();

/**
 * Refuses with `unavailable`, whose cause says why, unless the database stores writes, in the file at its path. If
 * this process's last write is more than five seconds old, makes a test write, at most one at a time.
 */
export async function expectStoring(store: Store): Promise<void> {
  expectFile(store);
  if (writesHang(store)) throw new Refusal("unavailable");
  const outcome = lastWrite(store.client);
  if (outcome && performance.now() - outcome.at < believedMilliseconds) {
    if (outcome.failure === null) return;
    throw new Refusal("unavailable", {}, { cause: outcome.failure });
  }
  await withTimeout(answerMilliseconds, probe(store)).catch((cause: unknown) => {
    throw new Refusal("unavailable", {}, { cause });
  });
}

/** Refuses with `unavailable` if the open file was deleted or replaced. */
export function expectFile({ client }: Store): void {
  try {
    expectSameFile(client);
  } catch (cause) {
    throw new Refusal("unavailable", {}, { cause });
  }
}

/** Makes a write that leaves nothing behind; rejects with the database's error. */
export function probe(store: Store): Promise<void> {
  const running = probes.get(store);
  if (running) return running;
  const begun = commit(store, [store.db.insert(guard).values({ ok: 1 }), store.db.delete(guard)]).finally(
    () => probes.delete(store),
  );
  probes.set(store, begun);
  return begun;
}
