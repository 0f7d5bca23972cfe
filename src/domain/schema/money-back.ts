import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { timestamp } from "@/core/database/schema";
import { payments } from "./payments";

/** Stripe's: https://docs.stripe.com/api/refunds/object#refund_object-status */
export type StripeRefundStatus = "pending" | "requires_action" | "succeeded" | "failed" | "canceled";

/** Whether Stripe may still let it fail. The condition of a partial index. */
export const isPending = sql`status IN ('pending', 'requires_action')`;

/**
 * The refunds of a payment as Stripe holds them; `refunds` is what staff asked for. Only succeeded ones count.
 */
export const stripeRefunds = sqliteTable(
  "stripe_refunds",
  {
    id: text("id").primaryKey(),
    paymentId: text("payment_id")
      .notNull()
      .references(() => payments.id, { onDelete: "cascade" }),
    /** Minor units of `currency`. */
    amount: integer("amount").notNull(),
    currency: text("currency").notNull(),
    status: text("status").$type<StripeRefundStatus>().notNull(),
    /** When it was made. */
    at: timestamp("at").notNull(),
  },
  (table) => [
    index("stripe_refunds_payment").on(table.paymentId),
    index("stripe_refunds_pending").on(table.paymentId).where(isPending),
    index("stripe_refunds_at")
      .on(table.at)
      .where(sql`status = 'succeeded'`),
  ],
);

export type StripeRefund = typeof stripeRefunds.$inferSelect;

/**
 * The disputes of a payment, one row for each time that a dispute took the money: a won dispute may take it again.
 * Inquiries, which take nothing, have no row.
 */
export const disputes = sqliteTable(
  "disputes",
  {
    /** Stripe's; our own for disputes from before this table. */
    id: text("id").notNull(),
    /** Which taking of the dispute it is, from 0. */
    taking: integer("taking").notNull(),
    paymentId: text("payment_id")
      .notNull()
      .references(() => payments.id, { onDelete: "cascade" }),
    /** Minor units of `currency`. */
    amount: integer("amount").notNull(),
    currency: text("currency").notNull(),
    /** Stripe's status of the whole dispute. */
    status: text("status").notNull(),
    takenAt: timestamp("taken_at").notNull(),
    /** When the bank gave the money back; null while it is gone. */
    returnedAt: timestamp("returned_at"),
  },
  (table) => [
    primaryKey({ columns: [table.id, table.taking] }),
    index("disputes_payment").on(table.paymentId),
    index("disputes_taken").on(table.takenAt),
    index("disputes_returned")
      .on(table.returnedAt)
      .where(sql`returned_at IS NOT NULL`),
  ],
);

export type DisputeTaking = typeof disputes.$inferSelect;
