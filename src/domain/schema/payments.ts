import { and, isNotNull, isNull, sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { moment } from "@/core/schema";

/** `open` is never listed: the buyer has not paid, or went away. */
export type PaymentState =
  "open" | "processing" | "succeeded" | "failed" | "expired" | "disputed" | "refunded";

/** The statuses of disputes that are not final. */
export const openDisputeStatuses: string[] = [
  "appeal_needs_response",
  "appeal_under_review",
  "needs_response",
  "under_review",
  "warning_needs_response",
  "warning_under_review",
];

/** Paid, and Stripe may still change the outcome. The condition of a partial index, so it holds no parameters. */
export const isUndecided =
  sql`(state = 'processing' OR dispute_status IN ${openDisputeStatuses})`.inlineParams();

export const payments = sqliteTable(
  "payments",
  {
    id: text("id").primaryKey(),
    sessionId: text("session_id").notNull().unique(),
    intentId: text("intent_id").unique(),
    state: text("state").$type<PaymentState>().notNull(),
    failureReason: text("failure_reason"),
    method: text("method"),
    /** The edition of the seal that the order was written under; see `order-terms.ts`. */
    sealVersion: integer("seal_version").notNull().default(1),
    /** The seal as it was written, so that an edit of it shows; null in orders of the first edition. */
    seal: text("seal"),
    /** The offer's id, name and days as they were when it was bought; null in orders of the first edition. */
    offer: text("offer"),
    product: text("product"),
    days: integer("days"),
    quantity: integer("quantity").notNull().default(1),
    /** The price of one when the session was created, minor units; settling compares with it. */
    unitAmount: integer("amount").notNull(),
    currency: text("currency").notNull(),
    livemode: integer("livemode", { mode: "boolean" }).notNull(),
    /** What was received, minor units; `billOf` reads it. Null until it is paid, and of sales from before this was kept. */
    paidAmount: integer("paid_amount"),
    /** What a promotion code took off, the tax added to the price, and the tax within it. */
    offAmount: integer("off_amount").notNull().default(0),
    taxAmount: integer("tax_amount").notNull().default(0),
    taxIncluded: integer("tax_included").notNull().default(0),
    refundedAmount: integer("refunded_amount").notNull().default(0),
    /** Stripe's page of the invoice. */
    invoiceUrl: text("invoice_url"),
    /** Who the key is mailed to instead of the buyer. */
    giftEmail: text("gift_email"),
    giftFrom: text("gift_from"),
    giftMessage: text("gift_message"),
    giftSentAt: moment("gift_sent_at"),
    disputeStatus: text("dispute_status"),
    email: text("email"),
    /** Who was signed in when the checkout began. */
    accountId: text("account_id"),
    /** SHA-256 of the buying browser's cookie. */
    browserHash: text("browser_hash"),
    createdAt: moment("created_at").notNull(),
    paidAt: moment("paid_at"),
    /** When it first gave a licence; from then on only refunds and disputes change what it is. */
    soldAt: moment("sold_at"),
    receiptSentAt: moment("receipt_sent_at"),
    /** How what Stripe holds differs from what was ordered; staff are notified when it is set. */
    mismatch: text("mismatch"),
    /** When staff were notified that the card network suspects fraud. */
    fraudWarnedAt: moment("fraud_warned_at"),
    /** Since then nobody is written to at the buyer's address, except about orders and accounts. */
    unsubscribedAt: moment("unsubscribed_at"),
    /** Goes up with each settlement; one that read before another wrote reads again. */
    version: integer("version").notNull().default(0),
  },
  (table) => [
    index("payments_account").on(table.accountId),
    index("payments_own_sold")
      .on(table.accountId, table.soldAt)
      .where(and(isNotNull(table.soldAt), isNull(table.giftEmail)) ?? sql`1`),
    index("payments_state").on(table.state, table.createdAt),
    index("payments_created").on(table.createdAt),
    index("payments_email").on(sql`lower(${table.email})`, table.createdAt),
    index("payments_gift")
      .on(sql`lower(${table.giftEmail})`, table.createdAt)
      .where(isNotNull(table.giftEmail)),
    index("payments_dispute").on(table.disputeStatus).where(isNotNull(table.disputeStatus)),
    index("payments_paid").on(table.paidAt),
    index("payments_undecided").on(table.livemode, table.id).where(isUndecided),
  ],
);

export type Payment = typeof payments.$inferSelect;

/** What may have to be shown to a bank one day, written while it can still be known. */
export const paymentEvidence = sqliteTable(
  "payment_evidence",
  {
    paymentId: text("payment_id")
      .primaryKey()
      .references(() => payments.id, { onDelete: "cascade" }),
    /** The edition of the Terms of Service and Refunds Policy under which the checkout was opened. */
    termsEdition: text("terms_edition").notNull(),
    termsAcceptedAt: moment("terms_accepted_at").notNull(),
    /** Network address and browser of the buyer, sealed; read only to contest a dispute. */
    buyerSealed: text("buyer_sealed"),
    /** Of the receipt, as the mail server accepted it. */
    receiptMessageId: text("receipt_message_id"),
  },
  (table) => [
    index("payment_evidence_buyers")
      .on(table.termsAcceptedAt, table.paymentId)
      .where(isNotNull(table.buyerSealed)),
  ],
);
