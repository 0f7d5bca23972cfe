import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { moment } from "@/core/database/schema";

/*
 * The shop's figures, summed. Triggers keep them in the commit of the fact, whatever writes it: see
 * `0000_ground.sql`. Every sum is kept by quarter-hour, of which every time zone's offset is a multiple,
 * and again by hour and by UTC day, so that a year is read from a few thousand rows.
 */

/** How many milliseconds a row sums up. */
const span = () => integer("span").notNull();
/** When its time begins: a multiple of the span, in UTC. */
const at = () => moment("at").notNull();

/** Only payments that gave a licence; money in minor units, at the time of the charge, refund or dispute. */
export const salesSums = sqliteTable(
  "sales_sums",
  {
    livemode: integer("livemode", { mode: "boolean" }).notNull(),
    currency: text("currency").notNull(),
    /** Empty: of everything. Else `offer:` and its id, or `code:` and the code. */
    about: text("about").notNull(),
    span: span(),
    at: at(),
    gross: integer("gross").notNull(),
    /** What promotion codes took off. */
    off: integer("off").notNull(),
    refunded: integer("refunded").notNull(),
    /** Taken by disputes, less what came back. */
    disputed: integer("disputed").notNull(),
    payments: integer("payments").notNull(),
    orders: integer("orders").notNull(),
    /** Checkouts that began, those deleted since too; not kept by code. */
    checkouts: integer("checkouts").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.livemode, table.currency, table.about, table.span, table.at] }),
    // both with the sums, so that a year is read from few pages rather than from one page for each row
    index("sales_sums_read").on(
      table.livemode,
      table.currency,
      table.about,
      table.span,
      table.at,
      table.gross,
      table.off,
      table.refunded,
      table.disputed,
      table.payments,
      table.orders,
      table.checkouts,
    ),
    index("sales_sums_at").on(
      table.span,
      table.at,
      table.livemode,
      table.currency,
      table.about,
      table.gross,
      table.off,
      table.refunded,
      table.disputed,
      table.payments,
      table.orders,
      table.checkouts,
    ),
  ],
);

/** How many licences began to be active, less those that ceased. */
export const licenceSums = sqliteTable(
  "licence_sums",
  {
    /** The Stripe mode; 2 for licences that nobody bought, which count in both. */
    livemode: integer("livemode").notNull(),
    /** Empty: all. Else `offer:` and its id. */
    about: text("about").notNull(),
    span: span(),
    at: at(),
    change: integer("change").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.livemode, table.about, table.span, table.at] }),
    index("licence_sums_read").on(table.livemode, table.about, table.span, table.at, table.change),
    index("licence_sums_at").on(table.span, table.at),
  ],
);

/** By how much the yearly worth of running subscriptions changed, and their number; see `subscriptionRuns`. */
export const recurringSums = sqliteTable(
  "recurring_sums",
  {
    livemode: integer("livemode", { mode: "boolean" }).notNull(),
    currency: text("currency").notNull(),
    /** Empty: all. Else `offer:` and its id. */
    about: text("about").notNull(),
    span: span(),
    at: at(),
    change: integer("change").notNull(),
    running: integer("running").notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.livemode, table.currency, table.about, table.span, table.at] }),
    index("recurring_sums_at").on(table.span, table.at),
  ],
);

/** New accounts, those deleted since too. */
export const accountSums = sqliteTable(
  "account_sums",
  { span: span(), at: at(), created: integer("created").notNull() },
  (table) => [primaryKey({ columns: [table.span, table.at] })],
);
