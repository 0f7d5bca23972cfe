import { type InStatement, type InValue, LibsqlBatchError } from "@libsql/client";
import type { RefusalCode } from "@/contract/refusals";
import type { Store } from "./database";
import { Refusal } from "./refusal";

/** A drizzle query that has been built but not run. */
type Built = { toSQL(): { sql: string; params: unknown[] } };
type Guard = { refuseWith: RefusalCode };
export type Write = Built | Guard;

/**
 * Follows a conditional write in a commit: when that write changed no row, nothing of the commit
 * happens and the verb refuses with `code`.
 */
export const mustHaveChanged = (code: RefusalCode): Write => ({ refuseWith: code });

/**
 * Writes all or nothing, in one atomic batch that begins as a write (`BEGIN IMMEDIATE`), so that it
 * can't fail half-way on turning into one. Resolves when it is on disk (`synchronous=FULL`).
 * Throws a {@link Refusal} where a guard did not hold.
 */
export async function commit(store: Store, writes: Write[]): Promise<void> {
  try {
    await store.client.batch(writes.map(statement), "write");
  } catch (error) {
    const failed = error instanceof LibsqlBatchError ? writes[error.statementIndex] : undefined;
    if (failed && "refuseWith" in failed) throw new Refusal(failed.refuseWith);
    throw error;
  }
}

/** True for a commit that failed because `column` (as `table.column`) already holds that value. */
export function isDuplicate(error: unknown, column: string): boolean {
  return error instanceof Error && error.message.includes(`UNIQUE constraint failed: ${column}`);
}

function statement(write: Write): InStatement {
  if ("refuseWith" in write) return "INSERT INTO guard (ok) SELECT 0 WHERE changes() = 0";
  const { sql, params } = write.toSQL();
  // drizzle has already encoded the parameters for the driver
  return { sql, args: params as InValue[] };
}
