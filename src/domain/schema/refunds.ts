import { isNotNull, sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { timestamp } from "@/core/database/schema";

/**
 * `proposed` by support and awaiting an owner, `declined` by an owner; `approved` and on its way to Stripe; `made`, or
 * `refused` by Stripe.
 */
export type RefundState = "proposed" | "declined" | "approved" | "made" | "refused";

/** Refunds that staff asked for, and failed ones of Stripe's dashboard. Settling reads from Stripe what was really refunded. */
export const refunds = sqliteTable(
  "refunds",
  {
    id: text("id").primaryKey(),
    paymentId: text("payment_id").notNull(),
    /** Minor units of the payment's currency. */
    amount: integer("amount").notNull(),
    state: text("state").$type<RefundState>().notNull(),
    /**
     * Hash of payment, amount as typed, actor and reason: repeating a request makes no second refund. Also in the
     * refund's metadata at Stripe, where a restored database finds it again.
     */
    request: text("request").notNull(),
    /** How many earlier rows have this request; part of Stripe's idempotency key, which repeats its refusals. */
    attempt: integer("attempt").notNull().default(0),
    reason: text("reason").notNull(),
    /** The licence and its subscription go on, also after a full refund. */
    keeps: integer("keeps", { mode: "boolean" }).notNull().default(false),
    /** As the log names them: `operator`, `discord:` and a member's id, or an account of staff. */
    askedBy: text("asked_by").notNull(),
    decidedBy: text("decided_by"),
    /** The ticket whose card shows the refund. */
    ticketId: text("ticket_id"),
    /** The UTC day whose cap support's proposal counts against; null if an owner or the operator asked for it. */
    cappedOn: text("capped_on"),
    /** Stripe's id of the refund, and when Stripe made it. */
    stripeId: text("stripe_id"),
    madeAt: timestamp("made_at"),
    /** Stripe's own sentence, if Stripe refused. */
    refusal: text("refusal"),
    createdAt: timestamp("created_at").notNull(),
    decidedAt: timestamp("decided_at"),
    /** When Stripe refused it, or the shop learned that it failed. */
    failedAt: timestamp("failed_at"),
  },
  (table) => [
    uniqueIndex("refunds_request")
      .on(table.request)
      .where(sql`${table.state} IN ('proposed', 'approved', 'made')`),
    index("refunds_created").on(table.createdAt, table.id),
    index("refunds_state").on(table.state, table.createdAt, table.id),
    index("refunds_stripe").on(table.stripeId).where(isNotNull(table.stripeId)),
    index("refunds_failed").on(table.failedAt).where(isNotNull(table.failedAt)),
    index("refunds_capped_on").on(table.cappedOn),
    index("refunds_payment").on(table.paymentId),
    index("refunds_ticket").on(table.ticketId),
    /** A ticket's card has one undecided proposal at a time. */
    uniqueIndex("refunds_proposed")
      .on(table.ticketId)
      .where(sql`${table.state} = 'proposed'`),
  ],
);

export type Refund = typeof refunds.$inferSelect;
