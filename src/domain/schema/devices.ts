import { sqliteTable, text } from "drizzle-orm/sqlite-core";
import { moment } from "@/core/schema";
import { accounts } from "./accounts";

/** The one computer that an account is bound to. */
export const devices = sqliteTable("devices", {
  accountId: text("account_id")
    .primaryKey()
    .references(() => accounts.id, { onDelete: "cascade" }),
  /** Keyed hash of the hardware ID; the ID itself is never stored. */
  hwidHash: text("hwid_hash").notNull(),
  label: text("label").notNull(),
  os: text("os").notNull(),
  version: text("version").notNull(),
  firstSeenAt: moment("first_seen_at").notNull(),
  lastSeenAt: moment("last_seen_at").notNull(),
  /**
   * Set when the customer deactivated the application there: another device may take its place, under the rule of
   * resets.
   */
  deactivatedAt: moment("deactivated_at"),
});
