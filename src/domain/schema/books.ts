import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { timestamp } from "@/core/database/schema";

/** A payout whose movements were not read yet. The condition of a partial index. */
export const isUnreadPayout = sql`(kind = 'payout' AND payout_id IS NULL)`;

/**
 * Stripe's balance transactions: all that moved the account's balance, also for what this shop didn't sell. They name
 * nobody. https://docs.stripe.com/api/balance_transactions/object
 */
export const balanceMovements = sqliteTable(
  "balance_movements",
  {
    id: text("id").primaryKey(),
    livemode: integer("livemode", { mode: "boolean" }).notNull(),
    at: timestamp("at").notNull(),
    /** Stripe's reporting category. https://docs.stripe.com/reports/reporting-categories */
    kind: text("kind").notNull(),
    /** Stripe's id of the charge, refund, dispute or payout that moved it; null for a fee of its own. */
    source: text("source"),
    description: text("description"),
    /** Minor units of `currency`, that of the balance. What is left of the amount after the fee moved the balance. */
    amount: integer("amount").notNull(),
    fee: integer("fee").notNull(),
    currency: text("currency").notNull(),
    /** The payout that paid it to the bank, and when that arrives. A payout names itself once its movements were read. */
    payoutId: text("payout_id"),
    payoutAt: timestamp("payout_at"),
  },
  (table) => [
    index("balance_movements_at").on(table.livemode, table.at, table.id),
    index("balance_movements_source").on(table.source),
    index("balance_movements_unread").on(table.livemode, table.at).where(isUnreadPayout),
  ],
);

export type BalanceMovement = typeof balanceMovements.$inferSelect;
