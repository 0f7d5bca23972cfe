import { and, isNotNull, isNull, sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Interval } from "@/contract/vocabulary/kinds";
import type { deskPaymentStatuses } from "@/contract/vocabulary/statuses";
import { timestamp } from "@/core/database/schema";
import { domainOfKey } from "./accounts";
import { changed, hasOutcome, updated } from "./changes";

/** `open` is never listed: the buyer has not paid, or left. */
export type PaymentState = (typeof deskPaymentStatuses)[number];

/** The statuses of disputes that are not final. */
export const openDisputeStatuses: string[] = [
  "appeal_needs_response",
  "appeal_under_review",
  "needs_response",
  "under_review",
  "warning_needs_response",
  "warning_under_review",
];

/** Stripe may still change the outcome. The condition of a partial index, so it holds no parameters. */
export const isUndecided =
  sql`(state = 'processing' OR dispute_status IN ${openDisputeStatuses} OR (state = 'failed' AND subscription IS NOT NULL AND seal IS NOT NULL AND sold_at IS NULL))`.inlineParams();

/**
 * Paid, but the release that settled it couldn't read the order: deferred until a release runs that can. The condition of
 * a partial index; {@link isDeferred} is the same for a row.
 */
export const whereDeferred = sql`(state = 'processing' AND paid_at IS NOT NULL)`;

/** Paid, and neither sold nor refunded because it differs from the order. The condition of a partial index. */
export const isMismatched = sql`(mismatch IS NOT NULL AND sold_at IS NULL AND refunded_at IS NULL)`;

/** `at` in milliseconds; `words` are the mail server's, without addresses. */
type MailRefusal = { at: number; words: string };
export type RefusedMail = Partial<Record<"receipt" | "gift", MailRefusal>>;

/** A part of it came outside Stripe. The condition of a partial index. */
export const isPaidOutside = sql`(outside_amount > 0)`;

export const payments = sqliteTable(
  "payments",
  {
    id: text("id").primaryKey(),
    sessionId: text("session_id").notNull().unique(),
    intentId: text("intent_id").unique(),
    state: text("state").$type<PaymentState>().notNull(),
    failureReason: text("failure_reason"),
    method: text("method"),
    /** The version of the order's text, possibly a newer release's; see `order-terms.ts`. */
    sealVersion: integer("seal_version").notNull().default(1),
    /** The hash of the order's text at Stripe, so that an edit of it shows; null in renewals. */
    seal: text("seal"),
    /** The offer's id, name and days at the purchase; null in unreadable orders. */
    offer: text("offer"),
    product: text("product"),
    /** The id and the name of its licences' level at the purchase. */
    level: text("level"),
    levelName: text("level_name"),
    days: integer("days"),
    /** On how many computers at a time each licence is used. */
    devices: integer("devices").notNull().default(1),
    every: text("every").$type<Interval>(),
    trialDays: integer("trial_days"),
    /** When its trial began at Stripe; a hash of the card or bank account charged after it. */
    trialAt: timestamp("trial_at"),
    trialCard: text("trial_card"),
    quantity: integer("quantity").notNull().default(1),
    /** The price of one licence when the session was created, minor units; settling compares with it. */
    unitAmount: integer("amount").notNull(),
    currency: text("currency").notNull(),
    livemode: integer("livemode", { mode: "boolean" }).notNull(),
    /** The amount received, minor units; `billOf` reads it. Null until paid. */
    paidAmount: integer("paid_amount"),
    /** What Stripe took from the customer's credit. */
    creditAmount: integer("credit_amount").notNull().default(0),
    /** What of an invoice no payment through Stripe paid: marked as paid there, or settled by a credit note. */
    outsideAmount: integer("outside_amount").notNull().default(0),
    /** The promotion code's discount, the tax added to the price, and the tax within it. */
    offAmount: integer("off_amount").notNull().default(0),
    taxAmount: integer("tax_amount").notNull().default(0),
    taxIncluded: integer("tax_included").notNull().default(0),
    /** The promotion code that it was made with: as typed, or Stripe's id if Stripe did not say in time; and that id. */
    promotionCode: text("promotion_code"),
    promotionId: text("promotion_id"),
    refundedAmount: integer("refunded_amount").notNull().default(0),
    /** The newest refund of a subscription's payment left licence and subscription as they were. */
    refundKeeps: integer("refund_keeps", { mode: "boolean" }).notNull().default(false),
    /** Stripe's page of the invoice, and its number. */
    invoiceUrl: text("invoice_url"),
    invoiceNumber: text("invoice_number"),
    /** Where Stripe says that the buyer is, and the tax id that they gave there with its kind in Stripe's words. */
    buyerCountry: text("buyer_country"),
    taxId: text("tax_id"),
    taxIdKind: text("tax_id_kind"),
    /** The card that paid; an erased buyer has none. */
    cardBrand: text("card_brand"),
    cardLast4: text("card_last4"),
    /** Stripe's id of the charge, by which its fee and payout are found in `balance_movements`. */
    chargeId: text("charge_id"),
    /** The address that the key is mailed to instead of the buyer's. */
    giftEmail: text("gift_email"),
    /** The comparison key of a receiver's address whose lower case isn't the key already. */
    unusualGiftKey: text("unusual_gift_key"),
    /** The lookup key of the receiver; see `addressKey`. */
    giftKey: text("gift_key").generatedAlwaysAs(sql`coalesce(unusual_gift_key, lower(gift_email))`, {
      mode: "virtual",
    }),
    giftFrom: text("gift_from"),
    giftMessage: text("gift_message"),
    giftSentAt: timestamp("gift_sent_at"),
    /** When the refund that left nothing was made; null without a full refund. */
    refundedAt: timestamp("refunded_at"),
    disputeStatus: text("dispute_status"),
    /** When the earliest dispute that ends the licence took the money; null if none does. */
    disputedAt: timestamp("disputed_at"),
    /** Of the dispute with the next deadline, or else of the gravest: Stripe's reason, and the sum in minor units. */
    disputeReason: text("dispute_reason"),
    disputeAmount: integer("dispute_amount"),
    disputeCurrency: text("dispute_currency"),
    /** That dispute's deadline; null if Stripe awaits no evidence. */
    disputeAnswerBy: timestamp("dispute_answer_by"),
    /** Stripe's id of the subscription that the payment began or renewed, and the end of the period that it paid. */
    subscription: text("subscription"),
    periodEndsAt: timestamp("period_ends_at"),
    /** An invoice of a subscription that bills a switch. */
    isSwitch: integer("is_switch", { mode: "boolean" }).notNull().default(false),
    email: text("email"),
    unusualEmailKey: text("unusual_email_key"),
    /** The lookup key of the buyer. */
    emailKey: text("email_key").generatedAlwaysAs(sql`coalesce(unusual_email_key, lower(email))`, {
      mode: "virtual",
    }),
    emailDomain: text("email_domain").generatedAlwaysAs(domainOfKey, { mode: "virtual" }),
    /** The account signed in when the checkout began. */
    accountId: text("account_id"),
    /** SHA-256 of the buying browser's cookie. */
    browserHash: text("browser_hash"),
    createdAt: timestamp("created_at").notNull(),
    paidAt: timestamp("paid_at"),
    /** When it first gave a licence; from then on only refunds and disputes change its state. */
    soldAt: timestamp("sold_at"),
    receiptSentAt: timestamp("receipt_sent_at"),
    /** How the mail server refused the receipt or the gift's email for good, until it accepts it; null if neither. */
    refusedMail: text("refused_mail", { mode: "json" }).$type<RefusedMail>(),
    /** How Stripe's session differs from the order; setting it notifies staff. */
    mismatch: text("mismatch"),
    /** When staff were notified that the card network suspects fraud. */
    fraudWarnedAt: timestamp("fraud_warned_at"),
    /** How often each of its keys was replaced; see `key-versions.ts`. */
    keyEditions: text("key_editions", { mode: "json" }).$type<number[]>(),
    /** Increases with each settlement; a settlement that read an earlier version reads again. */
    version: integer("version").notNull().default(0),
    /**
     * Increases when a settlement ends, even without a change, so that one that began earlier can't store older facts.
     */
    looks: integer("looks").notNull().default(0),
    changed: changed(),
    updated: updated(
      sql`max(created_at, coalesce(paid_at, 0), coalesce(sold_at, 0), coalesce(refunded_at, 0), coalesce(disputed_at, 0))`,
    ),
  },
  (table) => [
    index("payments_subscription")
      .on(table.subscription, table.periodEndsAt)
      .where(isNotNull(table.subscription)),
    index("payments_trials").on(table.accountId).where(isNotNull(table.trialDays)),
    index("payments_trials_of_address").on(table.emailKey).where(isNotNull(table.trialDays)),
    index("payments_trials_of_browser").on(table.browserHash).where(isNotNull(table.trialDays)),
    index("payments_trials_of_card").on(table.trialCard).where(isNotNull(table.trialDays)),
    index("payments_account").on(table.accountId, table.createdAt, table.id),
    index("payments_bought").on(table.accountId, table.createdAt, table.id).where(isNotNull(table.soldAt)),
    index("payments_own_sold")
      .on(table.accountId, table.soldAt)
      .where(and(isNotNull(table.soldAt), isNull(table.giftEmail)) ?? sql`1`),
    index("payments_state").on(table.state, table.createdAt, table.id),
    index("payments_created").on(table.createdAt, table.id),
    index("payments_offer").on(table.offer, table.state, table.createdAt, table.id),
    /** With the offer, so that a list of one reads nothing but the index. */
    index("payments_account_state")
      .on(table.accountId, table.state, table.createdAt, table.id, table.offer)
      .where(isNotNull(table.accountId)),
    index("payments_evidence_due")
      .on(table.livemode, table.disputeAnswerBy)
      .where(isNotNull(table.disputeAnswerBy)),
    index("payments_fraud_warned").on(table.fraudWarnedAt).where(isNotNull(table.fraudWarnedAt)),
    index("payments_mismatched").on(table.createdAt).where(isMismatched),
    index("payments_refused_mail").on(table.createdAt, table.id).where(isNotNull(table.refusedMail)),
    index("payments_email_key").on(table.emailKey, sql`created_at DESC`),
    index("payments_domain")
      .on(table.emailDomain, table.createdAt, table.id)
      .where(isNotNull(table.emailDomain)),
    index("payments_gift_key").on(table.giftKey, table.createdAt).where(isNotNull(table.giftKey)),
    index("payments_dispute").on(table.disputeStatus).where(isNotNull(table.disputeStatus)),
    index("payments_paid").on(table.paidAt),
    index("payments_paid_outside").on(table.livemode, table.paidAt, table.id).where(isPaidOutside),
    index("payments_charge").on(table.chargeId).where(isNotNull(table.chargeId)),
    index("payments_card").on(table.cardLast4, table.createdAt, table.id).where(isNotNull(table.cardLast4)),
    index("payments_by_code")
      .on(table.promotionId, table.state, table.id)
      .where(isNotNull(table.promotionId)),
    index("payments_undecided").on(table.livemode, table.id).where(isUndecided),
    index("payments_kept").on(table.sealVersion, table.id).where(whereDeferred),
    index("payments_updated").on(table.livemode, table.updated, table.id).where(hasOutcome),
    index("payments_email_updated").on(table.emailKey, table.updated, table.id).where(hasOutcome),
  ],
);

export type Payment = typeof payments.$inferSelect;

/** A renewal's row has Stripe's invoice in the place of a session. */
export const isRenewal = ({ sessionId }: Pick<Payment, "sessionId">): boolean => sessionId.startsWith("in_");

export const isDeferred = ({ state, paidAt }: Payment): boolean => state === "processing" && paidAt !== null;

/** Legal texts that purchases were made under, as their Markdown stood. Never deleted. */
export const legalTexts = sqliteTable("legal_texts", {
  /** In hexadecimal digits. */
  sha256: text("sha256").primaryKey(),
  text: text("text").notNull(),
  /** When the shop first started with it. */
  createdAt: timestamp("created_at").notNull(),
});

/** What a bank may ask for later, written while the shop still knows it. */
export const paymentEvidence = sqliteTable(
  "payment_evidence",
  {
    paymentId: text("payment_id")
      .primaryKey()
      .references(() => payments.id, { onDelete: "cascade" }),
    /** The edition of the Terms of Service and Refunds Policy at the checkout. */
    termsEdition: text("terms_edition").notNull(),
    /** Both are in {@link legalTexts}. */
    termsSha256: text("terms_sha256").notNull(),
    refundsSha256: text("refunds_sha256").notNull(),
    termsAcceptedAt: timestamp("terms_accepted_at").notNull(),
    /** Network address and browser of the buyer, sealed; read only to contest a dispute. */
    buyerSealed: text("buyer_sealed"),
    /** The receipt's Message-ID, as the mail server accepted it. */
    receiptMessageId: text("receipt_message_id"),
  },
  (table) => [
    index("payment_evidence_buyers")
      .on(table.termsAcceptedAt, table.paymentId)
      .where(isNotNull(table.buyerSealed)),
  ],
);
