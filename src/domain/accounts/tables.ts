import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { moment } from "@/core/tables";

export const accounts = sqliteTable("accounts", {
  id: text("id").primaryKey(),
  username: text("username").notNull(),
  /** Lower case, so that names and addresses are unique ignoring case. */
  usernameKey: text("username_key").notNull().unique(),
  email: text("email").notNull(),
  emailKey: text("email_key").notNull().unique(),
  /** argon2id, in PHC format. */
  passwordHash: text("password_hash").notNull(),
  /** SHA-256 to look the token up, and the token sealed to show it; both absent when none is set. */
  apiKeyHash: text("api_key_hash").unique(),
  apiKeySealed: text("api_key_sealed"),
  timezone: text("timezone").notNull(),
  createdAt: moment("created_at").notNull(),
  /** Goes up with each redemption, so that two at once can't both build on the same expiry. */
  redemptions: integer("redemptions").notNull().default(0),
  /** The authenticator's secret, sealed; two-factor is on from `mfaEnabledAt`. */
  mfaSecretSealed: text("mfa_secret_sealed"),
  mfaEnabledAt: moment("mfa_enabled_at"),
  /** The newest time step that was accepted; it and older ones are refused (RFC 6238 §5.2). */
  mfaLastStep: integer("mfa_last_step"),
  /** When the owner last unbound the device themselves. */
  deviceResetAt: moment("device_reset_at"),
});

export const sessions = sqliteTable(
  "sessions",
  {
    /** SHA-256 of the cookie. */
    tokenHash: text("token_hash").primaryKey(),
    id: text("id").notNull().unique(),
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    createdAt: moment("created_at").notNull(),
    lastSeenAt: moment("last_seen_at").notNull(),
    userAgent: text("user_agent").notNull(),
    address: text("address").notNull(),
  },
  (table) => [index("sessions_account").on(table.accountId)],
);
