import { sqliteTable, text } from "drizzle-orm/sqlite-core";
import { timestamp } from "@/core/database/schema";

/**
 * Addresses that unsubscribed from news and reminders, whichever account has them. Only a link mailed to an address
 * changes its row, which names nobody and so outlives accounts.
 */
export const unsubscribed = sqliteTable("unsubscribed", {
  /** Keyed hash of the address's comparison key; see `mailPreferenceKey`. */
  addressHash: text("address_hash").primaryKey(),
  at: timestamp("at").notNull(),
});
