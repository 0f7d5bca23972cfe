import { isNotNull, sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { timestamp } from "@/core/database/schema";
import { changed, updated } from "./changes";

/** What stands after the last `@` of a row's `email_key`. */
export const domainOfKey = sql`substr(email_key, length(rtrim(email_key, replace(email_key, '@', ''))) + 1)`;

export const accounts = sqliteTable(
  "accounts",
  {
    id: text("id").primaryKey(),
    username: text("username").notNull(),
    /** Lower case, so that names are unique ignoring case. */
    usernameKey: text("username_key").notNull().unique(),
    /** Null once another account has confirmed the address that this one had only typed. */
    email: text("email"),
    /** See `addressKey`. */
    emailKey: text("email_key"),
    emailDomain: text("email_domain").generatedAlwaysAs(domainOfKey, { mode: "virtual" }),
    /** When a code or link that was mailed to the address came back; null while it was only typed. */
    emailConfirmedAt: timestamp("email_confirmed_at"),
    /** The mailbox that the key was mailed to with which the account registered; it recovers the account until an address is confirmed. */
    keyEmail: text("key_email"),
    keyEmailKey: text("key_email_key"),
    /** argon2id, in PHC format. */
    passwordHash: text("password_hash").notNull(),
    /** SHA-256 to look the token up, and the token sealed to show it; both absent without a token. */
    apiKeyHash: text("api_key_hash").unique(),
    apiKeySealed: text("api_key_sealed"),
    timezone: text("timezone").notNull(),
    createdAt: timestamp("created_at").notNull(),
    /** Increases whenever its licences' ends are recomputed; a commit that read an earlier version reads again. */
    licenceVersion: integer("redemptions").notNull().default(0),
    /** The rule that computed its licences' ends: 1 for Stripe's test mode, 2 for its live mode. */
    endsRule: integer("ends_rule").notNull().default(1),
    /** The authenticator's secret, sealed; two-factor is on from `mfaEnabledAt`. */
    mfaSecretSealed: text("mfa_secret_sealed"),
    mfaEnabledAt: timestamp("mfa_enabled_at"),
    /** The newest accepted time step; it and older ones are refused (RFC 6238 §5.2). */
    mfaLastStep: integer("mfa_last_step"),
    /** When the owner last removed a computer themselves. */
    deviceResetAt: timestamp("device_reset_at"),
    /** When a recovery last let computers be removed that were added shortly before. */
    devicesDoubtedAt: timestamp("devices_doubted_at"),
    changed: changed(),
    updated: updated(sql`created_at`),
  },
  (table) => [
    index("accounts_email").on(table.emailKey, table.createdAt),
    index("accounts_domain")
      .on(table.emailDomain, table.createdAt, table.id)
      .where(isNotNull(table.emailDomain)),
    index("accounts_key_email").on(table.keyEmailKey).where(isNotNull(table.keyEmailKey)),
    uniqueIndex("accounts_confirmed_email")
      .on(table.emailKey)
      .where(sql`${table.emailConfirmedAt} IS NOT NULL`),
    index("accounts_created").on(table.createdAt, table.id),
    index("accounts_updated").on(table.updated, table.id),
    index("accounts_ends_rule").on(table.endsRule, table.id),
  ],
);

export const sessions = sqliteTable(
  "sessions",
  {
    /** SHA-256 of the cookie. */
    tokenHash: text("token_hash").primaryKey(),
    id: text("id").notNull().unique(),
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    createdAt: timestamp("created_at").notNull(),
    lastSeenAt: timestamp("last_seen_at").notNull(),
    userAgent: text("user_agent").notNull(),
    address: text("address").notNull(),
    /** When the owner last typed the password in this session: to sign in, or to reauthenticate. */
    provedAt: timestamp("proved_at"),
  },
  (table) => [
    index("sessions_account").on(table.accountId, table.lastSeenAt, table.id),
    index("sessions_created").on(table.createdAt),
    index("sessions_last_seen").on(table.lastSeenAt),
  ],
);

/** An authenticator shown to its owner but not yet confirmed with a code. */
export const mfaSetups = sqliteTable(
  "mfa_setups",
  {
    accountId: text("account_id")
      .primaryKey()
      .references(() => accounts.id, { onDelete: "cascade" }),
    secretSealed: text("secret_sealed").notNull(),
    expiresAt: timestamp("expires_at").notNull(),
  },
  (table) => [index("mfa_setups_expires").on(table.expiresAt)],
);

/** Codes that each work once in place of the authenticator's six digits. */
export const mfaRecoveryCodes = sqliteTable(
  "mfa_recovery_codes",
  {
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    /** Keyed hash; the shop showed the code once. */
    codeHash: text("code_hash").notNull(),
    usedAt: timestamp("used_at"),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.codeHash] })],
);

/**
 * The newest code that a browser asked for. Addresses without an account get one too, so that both cases do the same
 * work and take the same time.
 */
export const recoveries = sqliteTable(
  "recoveries",
  {
    id: text("id").primaryKey(),
    /** SHA-256 of the cookie of the browser that asked; asking again replaces it. */
    browserHash: text("browser_hash").notNull().unique(),
    /** Keyed hash of the email address's comparison key. */
    addressHash: text("address_hash").notNull(),
    /** Absent if no account has the address. */
    accountId: text("account_id").references(() => accounts.id, { onDelete: "cascade" }),
    codeSealed: text("code_sealed").notNull(),
    tries: integer("tries").notNull().default(0),
    askedAt: timestamp("asked_at").notNull(),
    expiresAt: timestamp("expires_at").notNull(),
    /** The browser may choose a password until then, having typed the code. */
    verifiedUntil: timestamp("verified_until"),
  },
  (table) => [
    index("recoveries_account").on(table.accountId),
    index("recoveries_expires").on(table.expiresAt),
  ],
);

/** Confirmed addresses that accounts were changed from: they still recover their account, and nobody else gets them. */
export const formerEmails = sqliteTable(
  "former_emails",
  {
    id: text("id").primaryKey(),
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    email: text("email").notNull(),
    emailKey: text("email_key").notNull(),
    replacedAt: timestamp("replaced_at").notNull(),
  },
  (table) => [
    index("former_emails_account").on(table.accountId, table.replacedAt),
    index("former_emails_email").on(table.emailKey),
    index("former_emails_replaced").on(table.replacedAt),
  ],
);

/** An address that was entered for an account and whose mailbox has yet to confirm it; the newest counts. */
export const emailConfirmations = sqliteTable(
  "email_confirmations",
  {
    id: text("id").primaryKey(),
    accountId: text("account_id")
      .notNull()
      .unique()
      .references(() => accounts.id, { onDelete: "cascade" }),
    email: text("email").notNull(),
    /** Its owner entered it, signed in; otherwise support did. */
    byOwner: integer("by_owner", { mode: "boolean" }).notNull(),
    /** Support hands the account over: no former address takes it back. */
    endsFormer: integer("ends_former", { mode: "boolean" }).notNull().default(false),
    codeSealed: text("code_sealed").notNull(),
    tries: integer("tries").notNull().default(0),
    expiresAt: timestamp("expires_at").notNull(),
  },
  (table) => [index("email_confirmations_expires").on(table.expiresAt)],
);
