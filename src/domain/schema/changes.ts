import { type SQL, sql } from "drizzle-orm";
import { integer, sqliteTable } from "drizzle-orm/sqlite-core";

/**
 * When an order, licence or account last changed, as far as other systems are told of it. Triggers write it in the
 * commit of the change, whatever made it, also for the release before: see `0040_changes_and_server_keys.sql`. It is
 * counted in microseconds since 1970, and each change gets a later one than all before it, so that a reader who goes
 * on after the last that they saw misses none.
 */
export const changed = () => integer("changed");

/**
 * The same for every row: the latest time that is known of one that has not changed since this was kept. `times` are
 * columns in milliseconds.
 */
export const updated = (times: SQL) =>
  integer("updated").generatedAlwaysAs(sql`coalesce(changed, 1000 * ${times})`, { mode: "virtual" });

/** The last time that was given to a change. */
export const changeClock = sqliteTable("change_clock", { last: integer("last").notNull() });

/** Ends before it count as changes of licences that have not changed since. */
export const changesKeptSince = Date.UTC(2026, 10, 23);

/** A licence whose end is ahead, or passed without that having been counted as a change; the condition of an index. */
export const endIsUncounted = sql`(expires_at * 1000 > updated)`;
/** A payment that is an order; the condition of indexes. */
export const hasOutcome = sql`(state <> 'open')`;
/** A licence's Stripe mode, as lists of changes state it: for any other query, an index of the mode would be the wrong one. */
export const listedMode = sql`(livemode + 0)`;
