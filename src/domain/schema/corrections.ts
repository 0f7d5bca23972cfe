import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { timestamp } from "@/core/database/schema";

/** `proposed` by support and awaiting an owner; `approved` and done, or `declined`, by an owner. */
export type CorrectionState = "proposed" | "approved" | "declined";

/** The addresses that support proposed for orders and gifts. They are deleted when the order loses its buyer's or receiver's name. */
export const corrections = sqliteTable(
  "corrections",
  {
    id: text("id").primaryKey(),
    /** Of a subscription's payments, the first. */
    paymentId: text("payment_id").notNull(),
    /** Whether it is for the gift's receiver instead of the buyer. */
    receiver: integer("receiver", { mode: "boolean" }).notNull(),
    email: text("email").notNull(),
    state: text("state").$type<CorrectionState>().notNull(),
    reason: text("reason").notNull(),
    /** The accounts of staff. */
    askedBy: text("asked_by").notNull(),
    decidedBy: text("decided_by"),
    createdAt: timestamp("created_at").notNull(),
    decidedAt: timestamp("decided_at"),
  },
  (table) => [
    index("corrections_created").on(table.createdAt, table.id),
    index("corrections_state").on(table.state, table.createdAt, table.id),
    index("corrections_payment").on(table.paymentId),
    /** Each address of an order has one undecided proposal at a time. */
    uniqueIndex("corrections_proposed")
      .on(table.paymentId, table.receiver)
      .where(sql`${table.state} = 'proposed'`),
  ],
);

export type Correction = typeof corrections.$inferSelect;
