import { isNotNull, isNull, sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { timestamp } from "@/core/database/schema";
import { accounts } from "./accounts";
import { changed, changesKeptSince, endIsUncounted, listedMode, updated } from "./changes";

/** A payment's effect on its licence; a licence without a payment is always `good`. */
export type PaymentStatus = "good" | "disputed" | "refunded" | "revoked";

/**
 * The status as an index can have it: what depends on the time is as of the last change, which counts an end soon after
 * it passed (`expire.ts`), and what depends on the shop's Stripe mode is followed by the licence's own.
 */
const listedStatus = sql`CASE
  WHEN revoked_at IS NOT NULL OR payment_standing = 'revoked' THEN 'revoked'
  WHEN payment_standing <> 'good' THEN payment_standing
  WHEN suspended_at IS NOT NULL THEN 'suspended'
  ELSE CASE WHEN redeemed_at IS NULL THEN 'unredeemed' WHEN expires_at * 1000 <= updated THEN 'expired' ELSE 'active' END
    || CASE livemode WHEN 0 THEN ' test' WHEN 1 THEN ' live' ELSE '' END
END`;

/** Later than any end, so that the earliest of several can be computed. */
const never = 8_640_000_000_000_000;

/** The earliest of a licence's end and what ended it early; {@link never} without any. */
const activeEnd = sql`min(coalesce(expires_at, ${never}), CASE WHEN payment_standing <> 'good' THEN coalesce(payment_fell_at, 0) ELSE ${never} END, coalesce(suspended_at, ${never}), coalesce(revoked_at, ${never}))`;

export const licences = sqliteTable(
  "licences",
  {
    id: text("id").primaryKey(),
    /** Keyed hash of the key, for lookups. */
    keyHash: text("key_hash").notNull().unique(),
    /** The key itself, sealed, to show it to its owner. */
    keySealed: text("key_sealed").notNull(),
    /** Keyed hash of the four symbols that a masked key shows. */
    keyTail: text("key_tail"),
    /** The id of its level: as sold, or as its subscription's price says, unless staff changed it. */
    level: text("type").notNull(),
    /** The level that it was sold as, in whose chain its time runs. */
    chain: text("chain").notNull(),
    /** Counted from redemption; null is a lifetime. */
    days: integer("days"),
    /** On how many computers at a time; as sold, unless staff changed it. */
    devices: integer("devices").notNull().default(1),
    /** The payment, on its first licence only; the unique index makes settling idempotent. */
    primaryPaymentId: text("payment_id").unique(),
    /** The payment, on each further licence, with its index. */
    additionalPaymentId: text("further_payment_id"),
    paymentIndex: integer("payment_index").notNull().default(0),
    /** The payment that sold the licence. */
    paymentId: text("sold_payment_id").generatedAlwaysAs(sql`coalesce(payment_id, further_payment_id)`, {
      mode: "virtual",
    }),
    /** When that payment's checkout began, so that an index orders an account's payments. A trigger writes it. */
    orderedAt: timestamp("ordered_at"),
    paymentStatus: text("payment_standing").$type<PaymentStatus>().notNull().default("good"),
    /**
     * When its payment was refunded in full or disputed, by Stripe's clock; meaningless while the payment status is
     * `good`.
     */
    paymentFellAt: timestamp("payment_fell_at"),
    /** The Stripe mode of the purchase; null if nobody bought the licence. */
    livemode: integer("livemode", { mode: "boolean" }),
    /** Set and cleared by the operator. */
    suspendedAt: timestamp("suspended_at"),
    /** Set by the operator, for good. */
    revokedAt: timestamp("revoked_at"),
    accountId: text("account_id").references(() => accounts.id, { onDelete: "set null" }),
    redeemedAt: timestamp("redeemed_at"),
    /** Its account redeemed it in the browser that bought it. */
    redeemedByBuyer: integer("redeemed_by_buyer", { mode: "boolean" }).notNull().default(false),
    /** The end of an imported licence, which overrides `days`. */
    fixedEndsAt: timestamp("fixed_ends_at"),
    /** Of a subscription's licence: the end of what was paid, and of the grace after it. */
    paidUntil: timestamp("paid_until"),
    /** Computed by `time.ts` for the whole account at once; null is a lifetime, or not redeemed. */
    expiresAt: timestamp("expires_at"),
    createdAt: timestamp("created_at").notNull(),
    /** The last reminder due to its owner: 7 or 1 days before the end; 0: none yet. */
    lastReminderDays: integer("ending_told").notNull().default(0),
    /** The offer that it was sold or given under. */
    offer: text("offer"),
    /** On how many computers staff let it be used, and the subscription's price that they set that on. */
    staffDevices: integer("staff_devices"),
    staffDevicesPrice: text("staff_devices_price"),
    /** The level that staff gave it, and the subscription's price that they set that on. */
    staffLevel: text("staff_level"),
    staffLevelPrice: text("staff_level_price"),
    /** From when, and until when, it is active as things are now; both null if it never was. */
    activeFrom: timestamp("active_from").generatedAlwaysAs(
      sql`CASE WHEN redeemed_at < ${activeEnd} THEN redeemed_at END`.inlineParams(),
      { mode: "virtual" },
    ),
    activeUntil: timestamp("active_until").generatedAlwaysAs(
      sql`CASE WHEN redeemed_at < ${activeEnd} THEN nullif(${activeEnd}, ${never}) END`.inlineParams(),
      { mode: "virtual" },
    ),
    changed: changed(),
    updated: updated(
      sql`max(created_at, coalesce(redeemed_at, 0), coalesce(suspended_at, 0), coalesce(revoked_at, 0), coalesce(payment_fell_at, 0), CASE WHEN expires_at < ${changesKeptSince} THEN expires_at ELSE 0 END)`.inlineParams(),
    ),
    listedStatus: text("listed_status").generatedAlwaysAs(listedStatus, { mode: "virtual" }),
  },
  (table) => [
    index("licences_account").on(table.accountId, table.redeemedAt, table.id),
    /** An account's subscriptions, however many keys it holds. */
    index("licences_subscribed").on(table.accountId).where(isNotNull(table.paidUntil)),
    /** Finds an account's licence that lasts longest. */
    index("licences_lasting").on(table.accountId, table.expiresAt),
    /** Finds an account's licence that lasts longest, of each level and number of seats. */
    index("licences_levels").on(table.accountId, table.level, table.devices, table.expiresAt),
    index("licences_orders")
      .on(table.accountId, table.orderedAt, table.paymentId)
      .where(isNotNull(table.orderedAt)),
    index("licences_lifetime").on(table.accountId).where(isNull(table.expiresAt)),
    index("licences_expiry").on(table.expiresAt),
    index("licences_ending").on(table.lastReminderDays, table.expiresAt).where(isNotNull(table.expiresAt)),
    index("licences_created").on(table.createdAt, table.id),
    index("licences_status").on(table.listedStatus, table.createdAt, table.id),
    /** Counts who has a level. */
    index("licences_level").on(table.level, table.listedStatus, table.accountId),
    index("licences_offer").on(table.offer, table.listedStatus, table.createdAt, table.id),
    /** With the offer, so that a list of one reads nothing but the index. */
    index("licences_account_status")
      .on(table.accountId, table.listedStatus, table.createdAt, table.id, table.offer)
      .where(isNotNull(table.accountId)),
    index("licences_key_tail").on(table.keyTail, table.createdAt, table.id),
    index("licences_sold").on(table.paymentId, table.paymentIndex),
    index("licences_unused").on(table.paymentId).where(isNull(table.redeemedAt)),
    uniqueIndex("licences_further").on(table.additionalPaymentId, table.paymentIndex),
    index("licences_updated").on(listedMode, table.updated, table.id),
    index("licences_account_updated").on(table.accountId, table.updated, table.id),
    index("licences_active_from").on(table.activeFrom).where(isNotNull(table.activeFrom)),
    index("licences_active_until").on(table.activeUntil).where(isNotNull(table.activeUntil)),
    index("licences_end_uncounted").on(table.expiresAt).where(endIsUncounted),
  ],
);

export type Licence = typeof licences.$inferSelect;

/**
 * Days that staff added to a redeemed licence, or to one of a subscription. Those added to another before its redemption
 * are in its `days`.
 */
export const licenceExtensions = sqliteTable(
  "licence_extensions",
  {
    id: text("id").primaryKey(),
    licenceId: text("licence_id")
      .notNull()
      .references(() => licences.id, { onDelete: "cascade" }),
    days: integer("days").notNull(),
    addedAt: timestamp("added_at").notNull(),
    /** Of a subscription's licence: when they begin, the later of their entry and the end that the licence had then. */
    beginsAt: timestamp("begins_at"),
  },
  (table) => [index("licence_extensions_licence").on(table.licenceId)],
);
