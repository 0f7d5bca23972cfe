import { keepLevel } from "../../levels/list";
import { eq } from "drizzle-orm";
import { day } from "@/contract/vocabulary/time";
import { canonicalAddress } from "@/contract/vocabulary/addresses";
import { theShop } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import type { Write } from "@/core/database/commit";
import { type Ctx, newId } from "@/core/database/context";
import { notice, type NoticePayload, saleNotice } from "../../notice";
import { enqueue } from "@/core/jobs/outbox";
import { type noPayload, type Topic } from "@/core/database/topic";
import { shopTopics } from "../../outbox-topics";
import { billOf } from "../../bills/bill";
import type { AccountLicences } from "../../licences/entitlement/account-licences";
import { issueSoldWrite, keepPrefix } from "../../licences/keys/issue";
import { queueRoleReconciliation, recomputeEndsWrites } from "../../licences/changes/entitlement-changed";
import { addSoldWrites } from "../../licences/changes/redeem";
import { trialTakenBefore } from "../../offers/trials-taken";
import { grace } from "../state/subscription-state";
import type { Decision } from "./decide";
import { paymentStatusOf } from "../port/disputes";
import { isReadable, levelOf } from "../port/order-terms";
import { licences, type PaymentStatus } from "../../schema/licences";
import { isDeferred, isRenewal, type Payment } from "../../schema/payments";
import { giftEmail } from "../emails/gift";
import {
  paymentDisputedEmail,
  paymentFailedEmail,
  paymentLostEmail,
  paymentPartRefundFailedEmail,
  paymentRefundFailedEmail,
  paymentRestoredEmail,
  trialTakenEmail,
} from "../emails/payment";
import { paymentRefundedEmail } from "../emails/payment-refunded";
import { receiptEmail } from "../emails/receipt";
import { renewalReceiptEmail } from "../emails/renewal-receipt";

export type Settlement = {
  before: Payment;
  after: Payment;
  decision: Decision;
  /** The account that a new licence is added to. */
  buyer: AccountLicences | null;
};

/** The writes that follow from a settlement, for the same commit. */
export const consequences = (ctx: Ctx, settlement: Settlement): Write[] => [
  ...licenceWrites(ctx, settlement),
  ...emails(ctx, settlement),
  ...notices(ctx, settlement),
  ...history(ctx, settlement),
  ...othersExpire(ctx, settlement),
];

/** One subscription whose money is on its way is enough, too. */
const othersExpire = (ctx: Ctx, { before, after }: Settlement): Write[] =>
  after.state === "processing" &&
  before.state !== "processing" &&
  after.every !== null &&
  after.accountId !== null
    ? [enqueue(ctx, { topic: shopTopics.expireCheckouts, subject: after.accountId })]
    : [];

const isSecondTrial = ({ before, after }: Settlement) =>
  after.failureReason === trialTakenBefore && before.failureReason !== trialTakenBefore;

/** The writes that recompute the time of the accounts that own a payment's licences, for the same commit. */
export async function timeWrites(
  ctx: Ctx,
  { before, after, decision: { paymentStatus } }: Settlement,
): Promise<Write[]> {
  // a new licence has no owner yet, or its buyer's account has writes of its own
  if (paymentStatus === null || before.soldAt === null || after.subscription !== null) return [];
  const fall = { paymentStatus, paymentFellAt: fellAtOf(after, paymentStatus) };
  return recomputeEndsWrites(ctx, { paymentId: before.id }, (licence) =>
    licence.paymentId === before.id ? { ...licence, ...fall } : licence,
  );
}

/** When the payment ended its licences: the earlier of its full refund and its dispute. */
function fellAtOf({ refundedAt, disputedAt }: Payment, paymentStatus: PaymentStatus): Date | null {
  const times = [refundedAt, disputedAt].flatMap((at) => at?.getTime() ?? []);
  return paymentStatus === "good" || times.length === 0 ? null : new Date(Math.min(...times));
}

/**
 * Ensures that every licence of a paid order exists and has the payment's status. Adds a new licence to its buyer's
 * account whatever its payment status, so that the order in which we learn of sales, refunds and disputes doesn't
 * matter.
 */
function licenceWrites(ctx: Ctx, { before, after, decision: { paymentStatus }, buyer }: Settlement): Write[] {
  if (paymentStatus === null) return [];
  const { id: paymentId, sessionId, livemode, days, devices, quantity } = before;
  if (!isReadable(before))
    return [paymentStatusOfSold(ctx, after, paymentStatus), queueRoleReconciliation(ctx, { paymentId })];
  const isNew = before.soldAt === null;
  // what a subscription's payments make of its licence is one decision about all of them
  if (isRenewal(after) || (after.subscription !== null && !isNew)) return [];
  const level = levelOf(before);
  const paidUntil = after.periodEndsAt && new Date(after.periodEndsAt.getTime() + grace);
  const sale = {
    sessionId,
    paymentId,
    level: level.id,
    days,
    paidUntil,
    devices,
    paymentStatus,
    livemode,
  };
  const fellAt = fellAtOf(after, paymentStatus);
  const ids = Array.from({ length: quantity }, newId);
  const [id = ""] = ids;
  const sold = { id, chain: level.id, days, paidUntil, livemode, paymentStatus, paymentFellAt: fellAt };
  const paidAt = timeFrom(after) ?? ctx.now();
  return [
    keepLevel(ctx, level),
    ...ids.map((id, index) =>
      issueSoldWrite(ctx, { ...sale, fellAt, id, index, keyVersion: after.keyEditions?.[index] ?? 0 }),
    ),
    ...keepPrefix(ctx),
    ...(buyer ? addSoldWrites(ctx, sold, { owned: buyer, paidAt }) : []),
    // otherwise a new licence has no owner yet
    ...(isNew ? [] : [queueRoleReconciliation(ctx, { paymentId })]),
  ];
}

/**
 * When a licence's time begins: when it was paid. A free order may be completed for a day after its session was opened,
 * so its time begins after that day, whenever the shop heard of it.
 */
const timeFrom = ({ paidAt, paidAmount, subscription }: Payment): Date | null =>
  paidAt && paidAmount === 0 && subscription === null ? new Date(paidAt.getTime() + day) : paidAt;

/** Licences that a newer release sold still follow their payment's status; this release does not issue them again. */
const paymentStatusOfSold = ({ store }: Ctx, payment: Payment, paymentStatus: PaymentStatus): Write =>
  store.db
    .update(licences)
    .set({ paymentStatus, paymentFellAt: fellAtOf(payment, paymentStatus) })
    .where(eq(licences.paymentId, payment.id));

/** Emails to the buyer and to a gift's receiver. Delivery checks again that each is still true. */
function emails(ctx: Ctx, settlement: Settlement): Write[] {
  const { before, after, decision } = settlement;
  const [was, is] = [paymentStatusBefore(before), decision.paymentStatus];
  const becomes = (paymentStatus: PaymentStatus) => is === paymentStatus && was !== paymentStatus;
  const toReceiver = after.giftEmail && becomes("good") && !after.giftSentAt ? [giftEmail] : [];
  const toBuyer: (Topic<typeof noPayload> | typeof receiptEmail)[] = [];
  const receipt = isRenewal(after) ? renewalReceiptEmail : receiptEmail;
  if (is === "good" && !after.receiptSentAt && (was !== "good" || !before.email)) toBuyer.push(receipt);
  if (becomes("good") && after.receiptSentAt)
    toBuyer.push(was === "refunded" ? paymentRefundFailedEmail : paymentRestoredEmail);
  if (becomes("disputed")) toBuyer.push(paymentDisputedEmail);
  if (becomes("revoked")) toBuyer.push(paymentLostEmail);
  if (decision.refundedAmount > before.refundedAmount) toBuyer.push(paymentRefundedEmail);
  // a failed renewal has an email about its subscription
  if (
    before.state === "processing" &&
    !isDeferred(before) &&
    decision.state === "failed" &&
    !isRenewal(after)
  )
    toBuyer.push(paymentFailedEmail);
  if (isSecondTrial(settlement)) toBuyer.push(trialTakenEmail);
  return [
    ...[...toReceiver, ...(after.email ? toBuyer : [])].map((email) =>
      enqueue(ctx, { topic: email, subject: before.id }),
    ),
    ...partCameBack(ctx, { before, after, decision }),
  ];
}

/** A failed refund that had not ended the licence has an email of its own. */
function partCameBack(ctx: Ctx, { before, after, decision }: Omit<Settlement, "buyer">): Write[] {
  const amount = before.refundedAmount - decision.refundedAmount;
  const isWhole = before.state === "refunded" && decision.paymentStatus === "good";
  if (amount <= 0 || isWhole || !after.email) return [];
  return [enqueue(ctx, { topic: paymentPartRefundFailedEmail, subject: before.id, payload: { amount } })];
}

/** The payment's status on its licence before this settlement, or null if there was no licence. */
function paymentStatusBefore({ state, disputeStatus }: Payment): Decision["paymentStatus"] {
  if (state === "succeeded") return "good";
  if (state === "refunded") return "refunded";
  return state === "disputed" ? paymentStatusOf(disputeStatus) : null;
}

/** Notices to staff, each once. */
function notices(ctx: Ctx, { before, after, decision }: Settlement): Write[] {
  const payloads: NoticePayload[] = [];
  if (decision.mismatch && !before.mismatch) {
    payloads.push({ kind: "mismatch", what: `mismatch: ${decision.mismatch}` });
  }
  if (isDeferred(after) && !isDeferred(before)) {
    payloads.push({
      kind: "mismatch",
      what: `order kept, a newer release wrote it (edition ${after.sealVersion})`,
    });
  }
  if (decision.disputeStatus && decision.disputeStatus !== before.disputeStatus) {
    payloads.push({ kind: "dispute", what: `dispute ${decision.disputeStatus}` });
  } else if (decision.disputeAnswerBy && !before.disputeAnswerBy) {
    // the status is that of another dispute, which was lost
    payloads.push({ kind: "dispute", what: "dispute needs_response" });
  }
  if (decision.refundedAmount > before.refundedAmount) {
    payloads.push({ kind: decision.refundedAmount < billOf(after).paid ? "partial refund" : "refund" });
  }
  if (decision.refundedAmount < before.refundedAmount) payloads.push({ kind: "refund failed" });
  if (after.fraudWarnedAt && !before.fraudWarnedAt) payloads.push({ kind: "fraud warning" });
  const isSale = decision.paymentStatus === "good" && before.soldAt === null;
  if (isSale && !isRenewal(after) && after.email !== null && canonicalAddress(after.email) === null) {
    payloads.push({ kind: "trouble", what: "sold to an address that no account can have" });
  }
  return [
    ...(isSale ? [saleNotice(ctx, before.id)] : []),
    ...payloads.flatMap((one) =>
      notice(ctx, `${before.id}:${one.what ?? one.kind}`, one, urgencyOf(one, after)),
    ),
  ];
}

/** After a partial refund of several keys staff choose which licences end; a single licence stays. */
const urgencyOf = ({ kind }: NoticePayload, { quantity }: Payment) =>
  kind === "partial refund" ? { needsSomebody: quantity > 1 } : {};

function history(ctx: Ctx, { before, after }: Settlement): Write[] {
  const { id: subject, accountId, state, disputeStatus, refundedAmount } = after;
  const same =
    before.state === state &&
    before.disputeStatus === disputeStatus &&
    before.refundedAmount === refundedAmount;
  // a payment that was processing or paid never becomes open again
  if (same || state === "open") return [];
  const detail = {
    dispute: disputeStatus,
    refunded: refundedAmount,
    before: { state: before.state, dispute: before.disputeStatus, refunded: before.refundedAmount },
  };
  return [record(ctx, { actor: theShop, action: `payment.${state}`, subject, accountId, detail })];
}
