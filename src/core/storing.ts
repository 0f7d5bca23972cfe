import { commit, writesHang } from "./commit";
import type { Store } from "./database";
import { expectSameFile } from "./database-file";
import { Refusal } from "./refusal";
import { guard } from "./schema";
import { within } from "./within";
import { lastWrite } from "./write-outcomes";

/** How long the last write's outcome is believed without another try. */
const believedMilliseconds = 5_000;
/** A database that does not answer within this time can't be sold from. */
const answerMilliseconds = 2_000;

/** A write under way in a store whose last outcome is too old. */
const probes = new WeakMap<Store, Promise<void>>();

/**
 * Refuses with `unavailable`, whose cause says why, unless the database stores what it is given, in the file at its
 * path. The last write of
 * this process tells; if that is more than five seconds ago, something is written. However often this is asked, at
 * most one such write is under way.
 */
export async function expectStoring(store: Store): Promise<void> {
  expectFile(store);
  if (writesHang(store)) throw new Refusal("unavailable");
  const outcome = lastWrite(store.client);
  if (outcome && performance.now() - outcome.at < believedMilliseconds) {
    if (outcome.failure === null) return;
    throw new Refusal("unavailable", {}, { cause: outcome.failure });
  }
  await within(answerMilliseconds, probe(store)).catch((cause: unknown) => {
    throw new Refusal("unavailable", {}, { cause });
  });
}

/** Refuses with `unavailable` if the file that is open was deleted or replaced. */
export function expectFile({ client }: Store): void {
  try {
    expectSameFile(client);
  } catch (cause) {
    throw new Refusal("unavailable", {}, { cause });
  }
}

/** Writes something that leaves nothing behind; rejects with what the database says. */
export function probe(store: Store): Promise<void> {
  const running = probes.get(store);
  if (running) return running;
  const begun = commit(store, [store.db.insert(guard).values({ ok: 1 }), store.db.delete(guard)]).finally(
    () => probes.delete(store),
  );
  probes.set(store, begun);
  return begun;
}
