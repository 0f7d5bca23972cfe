import { isNotNull, isNull, sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Interval } from "@/contract/vocabulary/kinds";
import type { subscriptionStatuses } from "@/contract/vocabulary/statuses";
import { timestamp } from "@/core/database/schema";
import { accounts } from "./accounts";
import { changed, listedMode, updated } from "./changes";

/** See `payments/state/subscription-state.ts`. */
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];

/** A trial or a yearly subscription whose customer has had no reminder of the next charge. The condition of a partial index. */
export const needsRenewalReminder = sql`((status = 'trialing' OR every = 'year') AND reminded_of IS NOT renews_at AND renews_at IS NOT NULL)`;

/** The condition of a partial index. */
export const beganWithTrial = sql`(trial = 1)`;

/** What Stripe held of each subscription at the last check. Its licence is that of the payment with the same id. */
export const subscriptions = sqliteTable(
  "subscriptions",
  {
    /** The order that began it, and so its first payment. */
    id: text("id").primaryKey(),
    stripeId: text("stripe_id").notNull().unique(),
    customerId: text("customer_id").notNull(),
    /** Where Stripe bills its customer now, which only receives mail; null if that is nowhere, unknown, or erased. */
    billingEmail: text("billing_email"),
    status: text("status").$type<SubscriptionStatus>().notNull(),
    /** Stripe's id of the item by which the offer is sold. */
    item: text("item"),
    /** The offer that it runs under now, with what all its items cost now, in minor units. */
    offer: text("offer").notNull(),
    amount: integer("amount").notNull(),
    currency: text("currency").notNull(),
    every: text("every").$type<Interval>().notNull(),
    /** Stripe's id of the price that gives its licence level and computers; the order's offer if none of ours does. */
    price: text("price").notNull(),
    level: text("level").notNull(),
    devices: integer("devices").notNull().default(1),
    /** The end of what was paid, or of its trial. */
    paidUntil: timestamp("paid_until"),
    /** Each charge after codes that last and without tax, minor units. */
    netAmount: integer("net_amount").notNull().default(0),
    /** The next charge, with codes and tax; null if none is due. */
    nextAmount: integer("next_amount"),
    /** What is missing in that amount if Stripe did not say it: credits, and tax where it adds any. */
    nextLacks: text("next_lacks").$type<"credits" | "tax">(),
    renewsAt: timestamp("renews_at"),
    /** When it ends, if it was cancelled or has ended. */
    endsAt: timestamp("ends_at"),
    endedAt: timestamp("ended_at"),
    /** The offer that it changes to at its next renewal, and when. */
    changesTo: text("changes_to"),
    changesAt: timestamp("changes_at"),
    cardBrand: text("card_brand"),
    cardLast4: text("card_last4"),
    /** Stripe's id of the customer's default card at the last check; empty if there was none, null if never checked. */
    generalCard: text("general_card"),
    livemode: integer("livemode", { mode: "boolean" }).notNull(),
    /** The account that bought it signed in, or redeemed its key in the buying browser; see `boughtBy`. */
    accountId: text("account_id").references(() => accounts.id, { onDelete: "set null" }),
    /** When its buyer was erased, since when nothing may be charged. */
    erasedAt: timestamp("erased_at"),
    startedAt: timestamp("started_at").notNull(),
    /** Whether it began with a trial. */
    trial: integer("trial", { mode: "boolean" }).notNull().default(false),
    /** When anything was first paid for it after its trial; without a trial, when it was sold. */
    firstPaidAt: timestamp("first_paid_at"),
    checkedAt: timestamp("looked_at").notNull(),
    /** When to check it even if no event reports a change; null once Stripe can no longer change it. */
    nextCheckAt: timestamp("look_again_at"),
    /** The renewal of which its customer was last reminded. */
    remindedOf: timestamp("reminded_of"),
    /** Increases with each change, so that an older answer of Stripe's never overwrites a newer one. */
    version: integer("version").notNull().default(0),
    changed: changed(),
    updated: updated(sql`started_at`),
  },
  (table) => [
    index("subscriptions_account").on(table.accountId, table.endedAt, table.startedAt),
    index("subscriptions_customer").on(table.customerId),
    index("subscriptions_card")
      .on(table.cardLast4, table.startedAt, table.id)
      .where(isNotNull(table.cardLast4)),
    index("subscriptions_untold").on(table.renewsAt).where(needsRenewalReminder),
    index("subscriptions_updated").on(listedMode, table.updated, table.id),
    index("subscriptions_started").on(table.startedAt, table.id),
    index("subscriptions_status").on(table.status, table.startedAt, table.id),
    index("subscriptions_offer").on(table.offer, table.status, table.startedAt, table.id),
    index("subscriptions_account_status").on(
      table.accountId,
      table.status,
      table.startedAt,
      table.id,
      table.offer,
    ),
    // these three cover the figures' queries
    index("subscriptions_first_paid")
      .on(table.firstPaidAt, table.livemode, table.currency, table.offer)
      .where(isNotNull(table.firstPaidAt)),
    index("subscriptions_trials")
      .on(table.startedAt, table.livemode, table.currency, table.offer, table.status, table.firstPaidAt)
      .where(beganWithTrial),
    index("subscriptions_ended")
      .on(table.endedAt, table.livemode, table.currency, table.offer, table.firstPaidAt)
      .where(isNotNull(table.endedAt)),
    index("subscriptions_unended").on(table.livemode).where(isNull(table.endedAt)),
    index("subscriptions_look_again")
      .on(table.livemode, table.nextCheckAt)
      .where(isNotNull(table.nextCheckAt)),
  ],
);

/** From when until when a subscription was worth what; triggers sum up what runs, and what it is worth in a year. */
export const subscriptionRuns = sqliteTable(
  "subscription_runs",
  {
    subscriptionId: text("subscription_id")
      .notNull()
      .references(() => subscriptions.id, { onDelete: "cascade" }),
    livemode: integer("livemode", { mode: "boolean" }).notNull(),
    currency: text("currency").notNull(),
    offer: text("offer").notNull(),
    level: text("level").notNull(),
    /** After codes and without tax, minor units: twelve months, or one year. */
    yearly: integer("yearly").notNull(),
    from: timestamp("from").notNull(),
    /** Null while it goes on; in the future if it is known to end. */
    until: timestamp("until"),
  },
  (table) => [
    primaryKey({ columns: [table.subscriptionId, table.from] }),
    index("subscription_runs_from").on(table.from),
    index("subscription_runs_until").on(table.until).where(isNotNull(table.until)),
  ],
);

/** The card that it is charged to, if Stripe names one. */
export const cardOf = ({ cardBrand: brand, cardLast4: last4 }: Subscription) =>
  brand && last4 ? { brand, last4 } : null;

/** On the wire, if its next charge is known before tax only. */
export const plusTax = ({ nextLacks }: Pick<Subscription, "nextLacks">): { plus_tax?: true } =>
  nextLacks === "tax" ? { plus_tax: true } : {};

export type SubscriptionRun = typeof subscriptionRuns.$inferSelect;
/** Without what triggers write. */
export type Subscription = Omit<typeof subscriptions.$inferSelect, "changed" | "updated">;
