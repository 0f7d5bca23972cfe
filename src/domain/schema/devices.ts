import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { moment } from "@/core/schema";
import { accounts } from "./accounts";

/** The computers that an account keeps, each on a place of its own. A removed computer's row is deleted. */
export const devices = sqliteTable(
  "devices",
  {
    /** The release before writes no id, and knows one computer of an account. */
    id: text("id")
      .primaryKey()
      .default(sql`(lower(hex(randomblob(16))))`),
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    /** The number of its place, from 1. */
    place: integer("place").notNull().default(1),
    /**
     * Keyed hash of `hwid_hash`, by which computers are found; null of a computer that has not been seen since the shop
     * hashes hardware IDs so. A trigger clears it when the release before moves the row to another computer.
     */
    computerHash: text("computer_hash"),
    /**
     * Keyed hash of the hardware ID itself: the earlier form, by which the release before finds the computer. Of a
     * computer that was never online, the other hash.
     */
    hwidHash: text("hwid_hash").notNull(),
    label: text("label").notNull(),
    /** Its owner named it, so the application's label no longer counts. */
    renamed: integer("renamed", { mode: "boolean" }).notNull().default(false),
    os: text("os").notNull(),
    /** The application's; null of a computer that was never online. */
    version: text("version"),
    firstSeenAt: moment("first_seen_at").notNull(),
    /** The last `VALID` answer. */
    lastSeenAt: moment("last_seen_at").notNull(),
    /** Set when the customer deactivated the application there: another computer may take its place once it may be freed. */
    deactivatedAt: moment("deactivated_at"),
    /** The end of its newest offline file: until then only staff free its place. */
    offlineUntil: moment("offline_until"),
  },
  (table) => [
    uniqueIndex("devices_place").on(table.accountId, table.place),
    uniqueIndex("devices_computer").on(table.accountId, table.computerHash),
    index("devices_hwid").on(table.accountId, table.hwidHash),
  ],
);

export type Device = typeof devices.$inferSelect;

/**
 * When an account's owner last freed a place themselves; it outlives the computer. At most as many rows as the account
 * ever had places.
 */
export const devicePlaces = sqliteTable(
  "device_places",
  {
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    number: integer("number").notNull(),
    freedAt: moment("freed_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.number] })],
);
