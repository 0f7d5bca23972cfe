import { type SQL, sql } from "drizzle-orm";

/**
 * A word of ours as part of the statement, not as a value given with each run. Where a partial index compares a column with a
 * word, such as `WHERE status = 'trialing'`, SQLite compiles a statement that compares that column with a value anew at
 * every run, because the value decides whether the index could serve: 80 µs for the account's own query.
 */
export const literally = (word: string): SQL => sql`${word}`.inlineParams();
