import { type InStatement, LibsqlBatchError, LibsqlError } from "@libsql/client";
import { newId } from "./context";
import type { Store } from "./database";
import { Refusal } from "../base/refusal";

/** How long to look for a write whose answer was lost. */
const searchMilliseconds = 8_000;
const pauseMilliseconds = 200;
/** A write that is not stored after this long is not tried again: its request has timed out. */
const retryMilliseconds = 12_000;

/** The mark is the first statement of its batch, which moves the others by one. */
export const markStatements = 1;

/**
 * Writes a batch on a database server, which may store everything and then lose the answer. So each batch inserts a
 * mark, which shows afterwards whether the batch is stored. Checking also bars the mark, so that the server can't store
 * the batch after we gave it up; we then write it once more.
 *
 * Throws the database's error, or a {@link Refusal}: `unavailable` if nothing is stored, `unconfirmed` if the database
 * does not answer.
 */
export async function writeMarked(store: Store, statements: InStatement[]): Promise<void> {
  const began = performance.now();
  for (;;) {
    const id = newId();
    try {
      await store.client.batch([mark(id), ...statements], "write");
      return;
    } catch (error) {
      if (isProvenUnwritten(error)) throw error;
      if (await isStored(store, id)) return;
      if (performance.now() - began > retryMilliseconds) throw error;
    }
  }
}

const mark = (id: string): InStatement => ({
  sql: "INSERT INTO commit_marks (id, stored) VALUES (?, 1)",
  args: [id],
});

/** Whether the database refused the batch or was never reached. */
function isProvenUnwritten(error: unknown): boolean {
  // the mark exists already: something on the way sent the batch twice
  if (error instanceof LibsqlBatchError) return !error.message.includes("commit_marks.id");
  if (error instanceof LibsqlError) return error.code.startsWith("SQLITE_");
  if (!(error instanceof Error)) return false;
  return ("code" in error && error.code === "ECONNREFUSED") || isProvenUnwritten(error.cause);
}

/** Whether the batch with this mark is stored; if not, it never will be. */
async function isStored({ client }: Store, id: string): Promise<boolean> {
  const began = performance.now();
  const args = [id];
  for (;;) {
    try {
      const [, found] = await client.batch(
        [
          { sql: "INSERT OR IGNORE INTO commit_marks (id, stored) VALUES (?, 0)", args },
          { sql: "SELECT stored FROM commit_marks WHERE id = ?", args },
        ],
        "write",
      );
      return found?.rows[0]?.["stored"] === 1;
    } catch (error) {
      if (performance.now() - began > searchMilliseconds) {
        throw new Refusal("unconfirmed", {}, { cause: error });
      }
    }
    await Bun.sleep(pauseMilliseconds);
  }
}
