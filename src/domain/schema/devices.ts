import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { timestamp } from "@/core/database/schema";
import { accounts } from "./accounts";

/** The computers that an account keeps. A removed computer's row is deleted. */
export const devices = sqliteTable(
  "devices",
  {
    id: text("id")
      .primaryKey()
      .default(sql`(lower(hex(randomblob(16))))`),
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    /** Keyed hash of `hwid_hash`, by which computers are found. */
    computerHash: text("computer_hash").notNull(),
    label: text("label").notNull(),
    /** Its owner named it, so the application's label no longer counts. */
    renamed: integer("renamed", { mode: "boolean" }).notNull().default(false),
    os: text("os").notNull(),
    /** The application's; null of a computer that was never online. */
    version: text("version"),
    firstSeenAt: timestamp("first_seen_at").notNull(),
    /** The last `VALID` answer. */
    lastSeenAt: timestamp("last_seen_at").notNull(),
    /** Set when the customer deactivated the application there: another computer may take its seat once it may be removed. */
    deactivatedAt: timestamp("deactivated_at"),
    /** The end of its newest offline file: until then only staff free its seat. */
    offlineUntil: timestamp("offline_until"),
    /** Since when it has had a running offline file without a gap. */
    offlineSince: timestamp("offline_since"),
    /** Added shortly before a recovery, perhaps by a thief: its owner removes it at once, which doesn't count as one of the removals of 30 days. */
    doubted: integer("doubted", { mode: "boolean" }).notNull().default(false),
  },
  (table) => [uniqueIndex("devices_computer").on(table.accountId, table.computerHash)],
);

export type Device = typeof devices.$inferSelect;

/** When an account's owner removed computers from its seats. Those of more than 30 days ago go at the next removal. */
export const deviceRemovals = sqliteTable(
  "device_removals",
  {
    id: text("id").primaryKey(),
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    removedAt: timestamp("removed_at").notNull(),
    /** How many of the account's computers with a seat were added before it. */
    rank: integer("rank").notNull(),
  },
  (table) => [index("device_removals_account").on(table.accountId, table.removedAt)],
);

/**
 * Codes with which an application asks to be signed in on a computer (RFC 8628), alive for a quarter of an hour. The
 * row goes when its token is handed out.
 */
export const deviceRequests = sqliteTable(
  "device_requests",
  {
    id: text("id").primaryKey(),
    /** Keyed hashes of the code that the application keeps, and of the one that a person types. */
    deviceCodeHash: text("device_code_hash").notNull().unique(),
    userCodeHash: text("user_code_hash").notNull().unique(),
    /** The hardware ID is sealed, since it is known only here until the token is handed out. */
    hwidSealed: text("hwid_sealed").notNull(),
    label: text("label").notNull(),
    os: text("os").notNull(),
    version: text("version").notNull(),
    /** Where it came from, for the person who is asked. */
    address: text("address").notNull(),
    createdAt: timestamp("created_at").notNull(),
    expiresAt: timestamp("expires_at").notNull(),
    /** Seconds that the application has to wait between two polls. */
    pollSeconds: integer("poll_seconds").notNull(),
    polledAt: timestamp("polled_at"),
    /** Null until somebody decided. */
    decision: text("decision").$type<"approved" | "declined">(),
    /** Who approved it. */
    accountId: text("account_id").references(() => accounts.id, { onDelete: "cascade" }),
  },
  (table) => [
    index("device_requests_expires").on(table.expiresAt),
    index("device_requests_account").on(table.accountId),
  ],
);

export type DeviceRequest = typeof deviceRequests.$inferSelect;

/** The one token of a computer that signed in; it goes with the computer. */
export const deviceTokens = sqliteTable("device_tokens", {
  deviceId: text("device_id")
    .primaryKey()
    .references(() => devices.id, { onDelete: "cascade" }),
  /** Keyed hash. */
  tokenHash: text("token_hash").notNull().unique(),
  createdAt: timestamp("created_at").notNull(),
});
