import { isNotNull } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { StaffRole } from "@/core/base/actor";
import { timestamp } from "@/core/database/schema";
import { accounts, sessions } from "./accounts";

/** Accounts that work for the shop. */
export const staff = sqliteTable(
  "staff",
  {
    /** New with each appointment, so that a role given again opens nothing that an earlier one opened. */
    id: text("id").primaryKey(),
    accountId: text("account_id")
      .notNull()
      .unique()
      .references(() => accounts.id, { onDelete: "cascade" }),
    role: text("role").$type<StaffRole>().notNull(),
    createdAt: timestamp("created_at").notNull(),
    /** Since a recovery that left the account without two-factor; the role gives no rights until it is woken. */
    asleepSince: timestamp("asleep_since"),
  },
  (table) => [index("staff_role").on(table.role)],
);

/** Addresses that were invited to the staff; the newest invitation of an address counts. */
export const staffInvitations = sqliteTable(
  "staff_invitations",
  {
    id: text("id").primaryKey(),
    email: text("email").notNull(),
    /** See `addressKey`. */
    emailKey: text("email_key").notNull().unique(),
    role: text("role").$type<StaffRole>().notNull(),
    /** The link went to the mailbox alone, so that whoever has it has the mailbox. */
    mailed: integer("mailed", { mode: "boolean" }).notNull(),
    /** The account that invited; null for the operator. It ends with that account's role. */
    invitedBy: text("invited_by"),
    createdAt: timestamp("created_at").notNull(),
    expiresAt: timestamp("expires_at").notNull(),
  },
  (table) => [
    index("staff_invitations_expires").on(table.expiresAt),
    index("staff_invitations_by").on(table.invitedBy).where(isNotNull(table.invitedBy)),
  ],
);

/** Sessions in which a member of staff has entered the desk. Each dies with the session and the appointment. */
export const deskSessions = sqliteTable(
  "desk_sessions",
  {
    /** SHA-256 of the desk's cookie. */
    tokenHash: text("token_hash").primaryKey(),
    sessionId: text("session_id")
      .notNull()
      .references(() => sessions.id, { onDelete: "cascade" }),
    staffId: text("staff_id")
      .notNull()
      .references(() => staff.id, { onDelete: "cascade" }),
    /** SHA-256 of the password's hash and the time two-factor was enabled: a change of either ends the session. */
    credentials: text("credentials").notNull(),
    createdAt: timestamp("created_at").notNull(),
    lastSeenAt: timestamp("last_seen_at").notNull(),
    /** When the member of staff last typed a code. */
    confirmedAt: timestamp("confirmed_at").notNull(),
  },
  (table) => [
    index("desk_sessions_session").on(table.sessionId),
    index("desk_sessions_staff").on(table.staffId),
    index("desk_sessions_created").on(table.createdAt),
  ],
);

/** What staff asked for in Discord and have yet to confirm on the desk, because it needs a code of their authenticator. */
export const staffRequests = sqliteTable(
  "staff_requests",
  {
    /** SHA-256 of the token in the link. */
    tokenHash: text("token_hash").primaryKey(),
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    /** The operation and its arguments, as JSON. */
    asked: text("asked").notNull(),
    expiresAt: timestamp("expires_at").notNull(),
  },
  (table) => [
    index("staff_requests_account").on(table.accountId),
    index("staff_requests_expires").on(table.expiresAt),
  ],
);
