import { isNotNull } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { timestamp } from "@/core/database/schema";

/**
 * The shop's days before today, without gaps. A trigger of each fact marks its day, whatever writes it: see
 * `0000_ground.sql`. Days of another time zone than `TIME_ZONE` are replaced.
 */
export const figureDays = sqliteTable(
  "figure_days",
  {
    at: timestamp("at").primaryKey(),
    until: timestamp("until").notNull(),
    timeZone: text("time_zone").notNull(),
    /** Random; null once the sums of the day are those of its facts. */
    mark: text("mark"),
  },
  (table) => [index("figure_days_marked").on(table.at).where(isNotNull(table.mark))],
);

const sum = (name: string) => integer(name).notNull();

/** The sums of each of these days; money in minor units, at the time of the charge, refund or dispute. */
export const figureSums = sqliteTable(
  "figure_sums",
  {
    /** The day's beginning. */
    at: timestamp("at").notNull(),
    /** The Stripe mode; 2 for accounts, and for licences that nobody bought, which count in both. */
    livemode: integer("livemode").notNull(),
    /** Empty for licences and accounts. */
    currency: text("currency").notNull(),
    /** Empty: of everything. Else `offer:` or `level:` and its id, or `code:` and the code. */
    about: text("about").notNull(),
    /** Only payments that gave a licence. */
    gross: sum("gross"),
    /** What promotion codes took off. */
    off: sum("off"),
    refunded: sum("refunded"),
    /** Taken by disputes, less what came back. */
    disputed: sum("disputed"),
    payments: sum("payments"),
    orders: sum("orders"),
    /** Checkouts that began, those deleted since too; of levels only those not deleted, none of codes. */
    checkouts: sum("checkouts"),
    /** How many licences began to be active, less those that ceased. */
    licences: sum("licences"),
    /** By how much the yearly worth of running subscriptions changed, and their number; see `subscriptionRuns`. */
    yearly: sum("yearly"),
    running: sum("running"),
    /** New accounts, those deleted since too. */
    accounts: sum("accounts"),
  },
  (table) => [
    primaryKey({ columns: [table.at, table.livemode, table.currency, table.about] }),
    // with the sums, so that a year is read from few pages rather than from one page for each row
    index("figure_sums_read").on(
      table.livemode,
      table.currency,
      table.about,
      table.at,
      table.gross,
      table.off,
      table.refunded,
      table.disputed,
      table.payments,
      table.orders,
      table.checkouts,
      table.licences,
      table.yearly,
      table.running,
      table.accounts,
    ),
  ],
);

/** Accounts and checkouts that were deleted, by the quarter-hour in which they were made. */
export const deletedCounts = sqliteTable(
  "deleted_counts",
  {
    at: timestamp("at").notNull(),
    livemode: integer("livemode").notNull(),
    currency: text("currency").notNull(),
    offer: text("offer").notNull(),
    checkouts: integer("checkouts").notNull().default(0),
    accounts: integer("accounts").notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.at, table.livemode, table.currency, table.offer] })],
);
