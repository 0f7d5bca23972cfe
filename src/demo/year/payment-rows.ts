import { brand } from "@/brand/brand";
import { terms } from "@/brand/legal/terms";
import { day, inSeconds } from "@/contract/vocabulary/time";
import { tokenHash } from "@/core/secrets/secrets";
import { sealedKey } from "@/domain/licences/keys/issue";
import { soldKey } from "@/domain/licences/keys/keys";
import { buyerAt, columnsOf } from "@/domain/payments/port/order-terms";
import { evidenceContext } from "@/domain/payments/checkout/purchase-evidence";
import type { licences } from "@/domain/schema/licences";
import type { Payment, paymentEvidence, payments, PaymentState } from "@/domain/schema/payments";
import { sealedOrder } from "./at-stripe";
import { type PastOrder, soldAfterSeconds } from "./orders";
import { fallOf, licenceId, moment, orderId, type PastShop, sumsOf } from "./shop";

/** How long Stripe awaits evidence. */
const answerSeconds = inSeconds(14 * day);
/** Other systems that continue after the last change they saw have seen the year. */
export const changedAt = (...times: (Date | null)[]) =>
  1000 * Math.max(...times.map((time) => time?.getTime() ?? 0));

const failures = {
  expired: "The checkout expired before it was paid.",
  failed: "The customer's bank refused the debit.",
};

export function paymentRow(shop: PastShop, order: PastOrder): typeof payments.$inferInsert {
  const { ctx } = shop;
  const isPaid = order.outcome === "paid";
  const sealed = sealedOrder(shop, order);
  const sums = sumsOf(shop, order);
  const row = {
    ...columnsOf(sealed),
    sessionId: order.session,
    intentId: order.intent,
    ...(order.outcome === "expired" ? buyerAtNobody : buyerAt(order.email)),
    state: stateOf(order),
    failureReason: failureOf(order),
    method: isPaid ? "card" : order.outcome === "failed" ? debitIn(ctx.currency) : null,
    livemode: ctx.livemode,
    paidAmount: isPaid ? sums.paid : null,
    promotionCode: order.hasCode ? shop.code.code : null,
    offAmount: order.outcome === "expired" ? 0 : sums.off,
    refundedAmount: sums.refunded,
    refundedAt: order.refund && !order.refund.isPart ? moment(order.refund.at) : null,
    ...disputeColumns(shop, order),
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

const buyerAtNobody = { email: null, unusualEmailKey: null };

/** The delayed method that checkouts in a currency offer; null if there is none. */
export const debitIn = (currency: string) =>
  ({ usd: "us_bank_account", eur: "sepa_debit" })[currency] ?? null;

const states = {
  good: "succeeded",
  refunded: "refunded",
  disputed: "disputed",
  revoked: "disputed",
} as const;

const stateOf = (order: PastOrder): PaymentState =>
  order.outcome === "paid" ? states[fallOf(order).paymentStatus] : order.outcome;

function failureOf(order: PastOrder): string | null {
  if (order.outcome !== "paid") return failures[order.outcome];
  if (stateOf(order) === "refunded") return "The payment was refunded.";
  if (stateOf(order) !== "disputed") return null;
  return order.dispute?.closed ? "The payment was disputed and lost." : "The payment is disputed.";
}

type DisputeColumns = Pick<Payment, `dispute${string}` & keyof Payment>;

function disputeColumns(shop: PastShop, order: PastOrder): DisputeColumns {
  const { dispute } = order;
  if (!dispute) return noDispute;
  const { at, closed } = dispute;
  return {
    disputeStatus: disputeStatusOf(order),
    disputedAt: closed?.status === "won" ? null : moment(at),
    disputeReason: "fraudulent",
    disputeAmount: sumsOf(shop, order).paid,
    disputeCurrency: shop.ctx.currency,
    disputeAnswerBy: closed ? null : moment(at + answerSeconds),
  };
}

const disputeStatusOf = ({ dispute }: PastOrder) =>
  dispute ? (dispute.closed?.status ?? "needs_response") : null;

const noDispute: DisputeColumns = {
  disputeStatus: null,
  disputedAt: null,
  disputeReason: null,
  disputeAmount: null,
  disputeCurrency: null,
  disputeAnswerBy: null,
};

/** Of a paid order; what was kept of others, the shop forgets. */
export function evidenceRow({ ctx }: PastShop, order: PastOrder): typeof paymentEvidence.$inferInsert {
  const paymentId = orderId(order);
  const network = `198.51.100.${1 + (order.number % 250)}`;
  const buyer = JSON.stringify({
    address: network,
    userAgent: "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0",
  });
  return {
    paymentId,
    termsEdition: terms.updated,
    termsAcceptedAt: moment(order.createdAt),
    buyerSealed: ctx.secrets.seal(buyer, evidenceContext(paymentId)),
    receiptMessageId: `<receipt-${paymentId}@localhost.localdomain>`,
  };
}

/** The licences of a paid order, of which its owner redeemed the first. */
export function licenceRows(shop: PastShop, order: PastOrder): (typeof licences.$inferInsert)[] {
  if (order.outcome !== "paid") return [];
  const { ctx, offers, ends } = shop;
  const { paymentStatus, fellAt } = fallOf(order);
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
      type: brand.premium.type,
      days: offers[order.offer].days,
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
