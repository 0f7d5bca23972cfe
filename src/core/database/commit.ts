import { type InStatement, type InValue, LibsqlBatchError } from "@libsql/client";
import type { RefusalCode } from "@/contract/vocabulary/refusals";
import { yieldToEventLoop } from "../base/yield";
import { Refusal, type RefusalDetail } from "../base/refusal";
import { withTimeout } from "../base/with-timeout";
import type { Store } from "./database";
import { markStatements, writeMarked } from "./marked-write";
import type { Topic } from "./topic";
import { wakeWorkers } from "./wake";

/** A drizzle query that has been built but not run. */
export type Built = { toSQL(): { sql: string; params: unknown[] } };
type Guard = { refuseWith: RefusalCode; detail?: RefusalDetail; unless?: Built };
/** `posts`: the topic of the jobs that the write enqueues. */
export type Write = (Built & { posts?: Topic }) | Guard;

/**
 * Follows a conditional write in a commit: if that write changed no row, the commit is rolled back and the operation
 * refuses with `code`.
 */
export const mustHaveChanged = (code: RefusalCode): Write => ({ refuseWith: code });

/** Rolls the commit back and refuses the operation if this query finds a row. */
export const mustNotExist = (found: Built, code: RefusalCode, detail: RefusalDetail = {}): Write => ({
  refuseWith: code,
  detail,
  unless: found,
});

type PendingCommit = {
  writes: Write[];
  statements: InStatement[];
  posts: Topic[];
  done: () => void;
  failed: (error: unknown) => void;
};

/** Commits waiting to be written, by store. */
const queues = new WeakMap<Store, PendingCommit[]>();
const mostTogether = 64;
/** If a database server has not answered a commit after this long, the next ones no longer wait for it. */
const silentMilliseconds = 1_000;
/** If the database takes this long to store a commit, the shop stops relying on it. */
const hangingMilliseconds = 4_000;
/** The start times of the batches under way, by store. */
const underWay = new WeakMap<Store, Set<number>>();

/**
 * Writes all or nothing in one atomic batch, which starts as a write transaction (`BEGIN IMMEDIATE`) so that it can't
 * fail halfway when upgrading to one. Resolves once it is on disk (`synchronous=FULL`). Throws a {@link Refusal} if a
 * guard did not hold, `unavailable` if the database stored nothing, or `unconfirmed` if a database server does not say
 * whether it did.
 *
 * Wakes this process's workers for the jobs that it enqueued; `wakes: false` leaves that to `wakeAfterAnswering`, for
 * jobs that must start after the answer.
 *
 * Commits requested at the same moment are written together, in order, because the flush is what takes time. If one of
 * them fails, each is retried on its own, so that only that one fails.
 */
export function commit(store: Store, writes: Write[], { wakes = true } = {}): Promise<void> {
  if (writes.length === 0) return Promise.resolve();
  return new Promise((done, failed) => {
    const posts = wakes ? writes.flatMap(postedBy) : [];
    const waiting = { writes, statements: writes.map(statement), posts, done, failed };
    const queue = queues.get(store);
    if (queue) {
      queue.push(waiting);
    } else {
      queues.set(store, [waiting]);
      setImmediate(() => void flush(store));
    }
  });
}

/** Whether a commit has waited for the database so long that this process should accept no more writes. */
export function writesHang(store: Store): boolean {
  const [oldest] = underWay.get(store) ?? [];
  return oldest !== undefined && performance.now() - oldest > hangingMilliseconds;
}

async function flush(store: Store): Promise<void> {
  for (;;) {
    const together = queues.get(store)?.splice(0, mostTogether) ?? [];
    if (together.length === 0) break;
    const written = writeTogether(store, together);
    await (store.remote ? withTimeout(silentMilliseconds, written).catch(() => {}) : written);
    // local writes are synchronous: let requests in between two of them
    await yieldToEventLoop();
  }
  queues.delete(store);
}

async function writeTogether(store: Store, together: PendingCommit[]): Promise<void> {
  const statements = together.flatMap((one) => one.statements);
  try {
    await timeWrite(store, () =>
      store.remote ? writeMarked(store, statements) : store.client.batch(statements, "write"),
    );
  } catch (error) {
    const provenUnwritten = error instanceof LibsqlBatchError;
    if (together.length === 1 || !provenUnwritten) {
      for (const one of together) one.failed(refusalOf(store, one, error));
    } else {
      for (const one of together) await writeTogether(store, [one]);
    }
    return;
  }
  for (const { done } of together) done();
  wakeWorkers(
    store,
    together.flatMap(({ posts }) => posts),
  );
}

/** Records the write's start time while it is under way. */
async function timeWrite(store: Store, write: () => Promise<unknown>): Promise<void> {
  const begun = underWay.get(store) ?? new Set<number>();
  underWay.set(store, begun);
  let at = performance.now();
  while (begun.has(at)) at += 0.001;
  begun.add(at);
  try {
    await write();
  } finally {
    begun.delete(at);
  }
}

function refusalOf(store: Store, { writes }: PendingCommit, error: unknown): unknown {
  const before = store.remote ? markStatements : 0;
  const failed = error instanceof LibsqlBatchError ? writes[error.statementIndex - before] : undefined;
  return failed && "refuseWith" in failed && isGuard(error)
    ? new Refusal(failed.refuseWith, failed.detail)
    : error;
}

const isGuard = (error: unknown) => error instanceof Error && error.message.includes("guard_must_hold");

/** Whether a commit failed because `column` (as `table.column`, or any if empty) already holds that value. */
export function isDuplicate(error: unknown, column: string): boolean {
  return error instanceof Error && error.message.includes(`UNIQUE constraint failed: ${column}`);
}

const postedBy = (write: Write): Topic[] => ("posts" in write && write.posts ? [write.posts] : []);

function statement(write: Write): InStatement {
  if (!("refuseWith" in write)) return built(write);
  if (!write.unless) return "INSERT INTO guard (ok) SELECT 0 WHERE changes() = 0";
  const { sql, args } = built(write.unless);
  return { sql: `INSERT INTO guard (ok) SELECT 0 WHERE EXISTS (${sql})`, args };
}

function built(query: Built) {
  const { sql, params } = query.toSQL();
  // drizzle has already encoded the parameters for the driver
  return { sql, args: params as InValue[] };
}

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
