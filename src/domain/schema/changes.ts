import { type SQL, sql } from "drizzle-orm";
import { integer, sqliteTable } from "drizzle-orm/sqlite-core";

/**
 * When an order, licence, account or subscription last changed, as far as other systems see it. Triggers write it in the commit of
 * the change, whatever made the change: see `0000_ground.sql`. In
 * microseconds since 1970; each change gets a later time than all before it, so that a reader who continues after the
 * last one they saw misses none.
 */
export const changed = () => integer("changed");

/**
 * For every row: of a row that has not changed since the shop keeps changes, its latest known time. `times` are columns
 * in milliseconds.
 */
export const updated = (times: SQL) =>
  integer("updated").generatedAlwaysAs(sql`coalesce(changed, 1000 * ${times})`, { mode: "virtual" });

/** The time of the last change. */
export const changeClock = sqliteTable("change_clock", { last: integer("last").notNull() });

/** Ends before this count as changes of licences that have not changed since. */
export const changesKeptSince = Date.UTC(2026, 10, 23);

/** A licence whose end is ahead, or passed without being counted as a change; the condition of an index. */
export const endIsUncounted = sql`(expires_at * 1000 > updated)`;
/** A payment that is an order; the condition of indexes. */
export const hasOutcome = sql`(state <> 'open')`;
/** A licence's or subscription's Stripe mode in lists of changes; the expression keeps SQLite from using the index of the mode. */
export const listedMode = sql`(livemode + 0)`;
