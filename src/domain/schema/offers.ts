import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { moment } from "@/core/schema";

/** What can be bought besides the brand's own offer. A retired offer stays, so that its id is never sold as another. */
export const offers = sqliteTable("offers", {
  id: text("id").primaryKey(),
  name: text("name").notNull(),
  /** Of one, minor units. */
  amount: integer("amount").notNull(),
  /** The shop's currency when the amount was set; an offer in another one is not sold. */
  currency: text("currency").notNull(),
  /** Counted from redemption; null is a lifetime. */
  days: integer("days"),
  /** What a release has to know to sell it; one with more than it knows does not. See `knownOffers`. */
  edition: integer("edition").notNull().default(1),
  createdAt: moment("created_at").notNull(),
  retiredAt: moment("retired_at"),
  /** Goes up with each change, so that none is lost. */
  version: integer("version").notNull().default(0),
});

export type OfferRow = typeof offers.$inferSelect;
