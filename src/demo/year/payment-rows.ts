import { readLegalText } from "@/brand/legal/read";
import { texts } from "@/brand/legal";
import { legalColumns, sha256 } from "@/domain/payments/checkout/legal-texts";
import { day, inSeconds, second } from "@/contract/vocabulary/time";
import { tokenHash } from "@/core/secrets/secrets";
import { sealedKey } from "@/domain/licences/keys/issue";
import { soldKey } from "@/domain/licences/keys/keys";
import { buyerColumns, columnsOfOrder } from "@/domain/payments/port/order-terms";
import { evidenceContext } from "@/domain/payments/checkout/purchase-evidence";
import type { licences } from "@/domain/schema/licences";
import type { paymentEvidence, payments } from "@/domain/schema/payments";
import { sealedOrder } from "./at-stripe";
import { type PastOrder, soldAfterSeconds } from "./plan";
import { fallOf, licenceId, moment, orderId, type PastShop, sumsOf } from "./shop";

/** How long Stripe awaits evidence. */
const answerSeconds = inSeconds(14 * day);
/** Other systems that continue after the last change they saw have seen the year. */
export const changedAt = (...times: (Date | null)[]) =>
  1000 * Math.max(...times.map((time) => time?.getTime() ?? 0));

/** What became of a payment, and why it failed. */
const outcomes = {
  good: ["succeeded", null],
  refunded: ["refunded", "The payment was refunded."],
  disputed: ["disputed", "The payment is disputed."],
  revoked: ["disputed", "The payment was disputed and lost."],
  expired: ["expired", "The checkout expired before it was paid."],
  failed: ["failed", "The customer's bank refused the debit."],
} as const;

export function paymentRow(shop: PastShop, order: PastOrder): typeof payments.$inferInsert {
  const { ctx } = shop;
  const { dispute, refund, outcome } = order;
  const isPaid = outcome === "paid";
  const [state, failureReason] = outcomes[isPaid ? fallOf(order).paymentStatus : outcome];
  const sealed = sealedOrder(shop, order);
  const sums = sumsOf(shop, order);
  const row = {
    ...columnsOfOrder(sealed),
    sessionId: order.session,
    intentId: order.intent,
    ...(outcome === "expired" ? { email: null, unusualEmailKey: null } : buyerColumns(order.email)),
    state,
    failureReason,
    method: isPaid ? "card" : outcome === "failed" ? debitIn(ctx.currency) : null,
    livemode: ctx.livemode,
    paidAmount: isPaid ? sums.paid : null,
    promotionCode: order.hasCode ? shop.code.code : null,
    offAmount: outcome === "expired" ? 0 : sums.off,
    refundedAmount: sums.refunded,
    refundedAt: refund && !refund.isPart ? moment(refund.at) : null,
    disputeStatus: dispute && (dispute.closed?.status ?? "needs_response"),
    disputedAt: dispute && dispute.closed?.status !== "won" ? moment(dispute.at) : null,
    disputeReason: dispute && "fraudulent",
    disputeAmount: dispute && sums.paid,
    disputeCurrency: dispute && ctx.currency,
    disputeAnswerBy: dispute && !dispute.closed ? moment(dispute.at + answerSeconds) : null,
    accountId: order.buyer?.id ?? null,
    browserHash: tokenHash(order.session),
    createdAt: moment(order.createdAt),
    paidAt: isPaid ? moment(order.endedAt) : null,
    soldAt: isPaid ? moment(order.endedAt + soldAfterSeconds) : null,
    receiptSentAt: isPaid ? moment(order.endedAt + 2 * soldAfterSeconds) : null,
    giftFrom: order.giftTo ? order.email.slice(0, order.email.indexOf(".")) : null,
    giftSentAt: order.giftTo && isPaid ? moment(order.endedAt + 2 * soldAfterSeconds) : null,
  };
  return { ...row, changed: changedAt(row.createdAt, row.soldAt, row.refundedAt, row.disputedAt) };
}

/** The delayed method that checkouts in a currency offer; null if there is none. */
export const debitIn = (currency: string) =>
  ({ usd: "us_bank_account", eur: "sepa_debit" })[currency] ?? null;

/** The edition before the brand's, which the year's older orders were made under. */
/** The terms before those of today, with the date that they had. */
export const formerTerms = texts.terms.replace(/^_.*_$/m, "_September 1, 2025_");
const former = { termsEdition: readLegalText(formerTerms).updated, termsSha256: sha256(formerTerms) };

/** The evidence of a paid order; the shop deletes that of others. */
export function evidenceRows({ ctx }: PastShop, order: PastOrder): (typeof paymentEvidence.$inferInsert)[] {
  if (order.outcome !== "paid") return [];
  const paymentId = orderId(order);
  const network = `198.51.100.${1 + (order.number % 250)}`;
  const buyer = JSON.stringify({
    address: network,
    userAgent: "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0",
  });
  return [
    {
      paymentId,
      ...legalColumns,
      ...(order.createdAt * second < Date.parse(legalColumns.termsEdition) ? former : {}),
      termsAcceptedAt: moment(order.createdAt),
      buyerSealed: ctx.secrets.seal(buyer, evidenceContext(paymentId)),
      receiptMessageId: `<receipt-${paymentId}@localhost.localdomain>`,
    },
  ];
}

/** The licences of a paid order, of which its owner redeemed the first. */
export function licenceRows(shop: PastShop, order: PastOrder): (typeof licences.$inferInsert)[] {
  if (order.outcome !== "paid") return [];
  const { ctx, offers, ends } = shop;
  const { paymentStatus, fellAt } = fallOf(order);
  const { days, level } = offers[order.offer];
  const paymentId = orderId(order);
  return Array.from({ length: order.quantity }, (_, index) => {
    const id = licenceId(order, index);
    const isFirst = index === 0;
    const owner = isFirst ? order.owner : null;
    const createdAt = moment(order.endedAt + soldAfterSeconds);
    const redeemedAt = owner ? moment(order.redeemedAt) : null;
    const expiresAt = owner ? (ends.get(id) ?? null) : null;
    const ended = expiresAt && expiresAt < moment(shop.year.end) ? expiresAt : null;
    return {
      id,
      ...sealedKey(ctx, id, soldKey(ctx, order.session, index)),
      level: level.id,
      chain: level.id,
      days,
      primaryPaymentId: isFirst ? paymentId : null,
      additionalPaymentId: isFirst ? null : paymentId,
      paymentIndex: index,
      orderedAt: moment(order.createdAt),
      paymentStatus,
      paymentFellAt: fellAt,
      livemode: ctx.livemode,
      accountId: owner?.id ?? null,
      redeemedAt,
      expiresAt,
      createdAt,
      // as if the reminders of the past year had been sent
      lastReminderDays: 1,
      changed: changedAt(createdAt, redeemedAt, fellAt, ended),
    };
  });
}
