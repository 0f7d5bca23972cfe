import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Interval } from "@/contract/vocabulary/kinds";
import { timestamp } from "@/core/database/schema";

/** The shop's offers. A retired offer stays, so that its id never sells another. */
export const offers = sqliteTable("offers", {
  id: text("id").primaryKey(),
  name: text("name").notNull(),
  /** The price of one licence, minor units. */
  amount: integer("amount").notNull(),
  /** The shop's currency when the amount was set; the shop does not sell offers in another currency. */
  currency: text("currency").notNull(),
  /** Counted from redemption; null is a lifetime. */
  days: integer("days"),
  /** How often its price is paid; null is once. */
  every: text("every").$type<Interval>(),
  /** The days before the first payment of a subscription; null is none. */
  trialDays: integer("trial_days"),
  /** The id of the level that it sells. */
  level: text("level").notNull(),
  /** In no list, and sold only to those who have its address. */
  hidden: integer("hidden", { mode: "boolean" }).notNull().default(false),
  /** On how many computers at a time. */
  devices: integer("devices").notNull().default(1),
  /** The features that a release has to know to sell it. See `knownOfferVersion`. */
  offerVersion: integer("edition").notNull().default(1),
  createdAt: timestamp("created_at").notNull(),
  retiredAt: timestamp("retired_at"),
  /** Increases with each change, so that concurrent changes don't overwrite each other. */
  version: integer("version").notNull().default(0),
});

export type OfferRow = typeof offers.$inferSelect;
