import { sqliteTable, text } from "drizzle-orm/sqlite-core";
import { timestamp } from "@/core/database/schema";

/** The endpoints that the shop made at Stripe, whose secrets are accepted as well as the setting's. */
export const stripeEndpoints = sqliteTable("stripe_endpoints", {
  /** Stripe's. */
  id: text("id").primaryKey(),
  secretSealed: text("secret_sealed").notNull(),
  createdAt: timestamp("created_at").notNull(),
});
