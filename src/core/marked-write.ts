import { type InStatement, LibsqlBatchError, LibsqlError } from "@libsql/client";
import { newId } from "./context";
import type { Store } from "./database";
import { Refusal } from "./refusal";

/** How long a write whose answer was lost is looked for. */
const lookMilliseconds = 8_000;
const pauseMilliseconds = 200;
/** A write that is not there after this long is not tried again: its request's time is over. */
const retryMilliseconds = 12_000;

/** The mark is the first statement of its batch, which moves the others by one. */
export const markStatements = 1;

/**
 * Writes a batch on a database server, whose answer may be lost on the way although everything is stored. So each
 * batch inserts a mark, and a lost answer is looked up by it. Looking also bars the mark, so that a batch which is
 * still on its way can't be stored after it was given up; such a batch is written once more.
 *
 * Throws what the database said, or a {@link Refusal}: `unavailable` if nothing is stored, `unconfirmed` if the
 * database can't be asked.
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

/** The database refused it, or was never reached. */
function isProvenUnwritten(error: unknown): boolean {
  // the mark is there already: something on the way has sent the batch twice
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
      if (performance.now() - began > lookMilliseconds) {
        throw new Refusal("unconfirmed", {}, { cause: error });
      }
    }
    await Bun.sleep(pauseMilliseconds);
  }
}
