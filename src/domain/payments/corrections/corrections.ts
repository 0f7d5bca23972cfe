import { and, eq, isNull, ne, sql } from "drizzle-orm";
import { addressKey } from "@/contract/vocabulary/addresses";
import { actorId, type By } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import { commit, mustHaveChanged, type Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import type { StoredJob } from "@/core/jobs/job-handlers";
import type { LimitTable } from "@/contract/vocabulary/limits";
import { spend } from "@/core/limits/limits";
import { jobOf, enqueue } from "@/core/jobs/outbox";
import { Refusal } from "@/core/base/refusal";
import { expectNoCopy } from "@/core/database/restored-copy";
import { shopTopics } from "../../outbox-topics";
import { nextVersions, putVersionedKey } from "../../licences/keys/key-versions";
import { licencesOfPayment } from "../../licences/entitlement/sold";
import { buyerColumns, receiverColumns } from "../port/order-terms";
import { MailUncertain } from "../../mail/email";
import { withoutIndex } from "@/core/database/without-index";
import { corrections } from "../../schema/corrections";
import { type Licence, licences } from "../../schema/licences";
import { type Payment, payments } from "../../schema/payments";
import { subscriptions } from "../../schema/subscriptions";
import { giftAgainEmail, giftEmail } from "../emails/gift";
import { receiptAgainEmail, receiptEmail } from "../emails/receipt";
import { renewalReceiptAgainEmail, renewalReceiptEmail } from "../emails/renewal-receipt";
import { refusedMailWith } from "../about-payment";
import { firstOrderOf } from "../reading/subscriptions";
import { authorize, expectConfirmed } from "../../permissions";

/**
 * Mails the receipt again, and a gift's key to its receiver, three times a day at most. Refuses with `payment_not_sold`,
 * `payment_without_email`, `rate_limited`, `copy` on a restored copy, or the reason why its licence is not valid.
 */
export async function resendReceipt(
  ctx: Ctx,
  limits: Pick<LimitTable, "receipt-again">,
  payment: Payment,
  by: By,
): Promise<void> {
  authorize(by, "payment.resend_receipt");
  // a restored copy would not send the email
  await expectNoCopy(ctx);
  expectSold(payment);
  if (payment.state !== "succeeded") {
    const code = payment.state === "refunded" ? "license_refunded" : "license_disputed";
    throw new Refusal(code, { sentence: `The payment is ${payment.state}, so its receipt is not sent.` });
  }
  const { id, accountId, email, giftEmail } = payment;
  if (!email) throw new Refusal("payment_without_email");
  const first = await firstOrderOf(ctx, payment);
  if ((await licencesOfPayment(ctx, first.id)).every(({ revokedAt }) => revokedAt !== null)) {
    throw new Refusal("license_revoked", {
      sentence: "Its licence was revoked, so its receipt is not sent.",
    });
  }
  const writes = [
    await mailAgain(ctx, first.id === id ? "receipt" : "renewal", id),
    ...(giftEmail ? [await mailAgain(ctx, "gift", id)] : []),
    record(ctx, { ...by, action: "payment.receipt_resent", subject: id, accountId }),
  ];
  await spend(ctx, limits["receipt-again"], [id, addressKey(email), addressKey(giftEmail ?? "")].join(" "));
  await commit(ctx.store, writes);
}

/** An address that the buyer mistyped is replaced by `email`; with `receiver`, the gift's receiver's. */
export type AddressCorrection = { email: string; receiver: boolean };

/**
 * Replaces an address that the buyer mistyped, and mails there what was bought: the receipt, or to a gift's receiver the
 * key. Replaces the keys that had left for the wrong address, unless they are redeemed. A renewal means its
 * subscription's first order. Of a subscription, the customer at Stripe follows, if they had the same address there.
 * Resolves to how many keys it replaced; refuses with `confirm`, as {@link expectCorrectable}, with `conflict`, or `copy`
 * on a restored copy.
 */
export async function correctAddress(
  ctx: Ctx,
  named: Payment,
  wanted: AddressCorrection,
  by: By,
): Promise<number> {
  authorize(by, "payment.correct_email");
  expectConfirmed(ctx, by, "payment.correct_email");
  await expectNoCopy(ctx);
  const { replaced, writes } = await correctionWrites(ctx, named, wanted, by);
  await commit(ctx.store, writes);
  return replaced;
}

/**
 * The order whose address can be replaced: of a subscription, the first. Refuses with `payment_not_sold`,
 * `payment_not_gift`, `email_unchanged` or `license_taken`.
 */
export async function expectCorrectable(
  ctx: Ctx,
  named: Payment,
  { email, receiver }: AddressCorrection,
): Promise<Payment> {
  const payment = await firstOrderOf(ctx, named);
  expectSold(payment);
  if (receiver && !payment.giftEmail) throw new Refusal("payment_not_gift");
  if (email === (receiver ? payment.giftEmail : payment.email))
    throw new Refusal("email_unchanged", { field: "email" });
  if (receiver && (await licencesOfPayment(ctx, payment.id)).some(({ redeemedAt }) => redeemedAt !== null)) {
    throw new Refusal("license_taken", { sentence: "Its key has been redeemed, so it is not sent again." });
  }
  return payment;
}

/** The writes that replace an address, and how many keys they replace. Refuses as {@link expectCorrectable}. */
export async function correctionWrites(
  ctx: Ctx,
  named: Payment,
  wanted: AddressCorrection,
  by: By,
): Promise<{ replaced: number; writes: Write[] }> {
  const payment = await expectCorrectable(ctx, named, wanted);
  const { email, receiver } = wanted;
  const { id, version, accountId } = payment;
  const set = receiver
    ? { ...receiverColumns(email), giftSentAt: null, refusedMail: refusedMailWith("gift", null) }
    : { ...buyerColumns(email), receiptSentAt: null, refusedMail: refusedMailWith("receipt", null) };
  const hasKeyLeft = receiver
    ? await hasLeft(ctx, id, "gift", payment.giftSentAt)
    : // a gift's receipt has no key
      payment.giftEmail === null && (await hasLeft(ctx, id, "receipt", payment.receiptSentAt));
  const replaced = hasKeyLeft ? await replaceUnusedKeys(ctx, payment, by) : null;
  const action = receiver ? "payment.receiver_corrected" : "payment.email_corrected";
  const writes = [
    ctx.store.db
      .update(payments)
      // a settlement that read the old address must read again
      .set({ ...set, ...replaced?.set, version: sql`${payments.version} + 1` })
      .where(and(eq(payments.id, id), eq(payments.version, version))),
    mustHaveChanged("conflict"),
    // what was proposed before meant the address of that time
    ctx.store.db
      .update(corrections)
      .set({ state: "declined", decidedBy: actorId(by.actor), decidedAt: ctx.now() })
      .where(
        and(
          eq(corrections.paymentId, id),
          withoutIndex(and(eq(corrections.receiver, receiver), eq(corrections.state, "proposed"))),
        ),
      ),
    ...(receiver ? [] : correctSubscription(ctx, payment, buyerColumns(email))),
    ...(replaced?.writes ?? []),
    await mailAgain(ctx, receiver ? "gift" : "receipt", id),
    record(ctx, { ...by, action, subject: id, accountId }),
  ];
  return { replaced: replaced?.many ?? 0, writes };
}

/** Before the sale, the address comes from Stripe. */
function expectSold(payment: Payment): void {
  if (payment.soldAt === null) throw new Refusal("payment_not_sold");
}

/** What brings an order. The receipt of a renewal contains no key, the others do; `again` sends the same email under another Message-ID. */
export const orderEmails = {
  receipt: { first: receiptEmail, again: receiptAgainEmail },
  gift: { first: giftEmail, again: giftAgainEmail },
  renewal: { first: renewalReceiptEmail, again: renewalReceiptAgainEmail },
} as const;

/** Mails it again; an email that is still waiting goes out once, now. */
async function mailAgain(ctx: Ctx, email: keyof typeof orderEmails, id: string): Promise<Write> {
  const { first, again } = orderEmails[email];
  const waits = (await jobOf(ctx, first, id)) !== null;
  return waits
    ? enqueue(ctx, { topic: first, subject: id, priority: true })
    : enqueue(ctx, { topic: again, subject: id, priority: true });
}

/**
 * Whether an email was delivered, is being delivered, or may have been: if the connection broke before the mail
 * server's answer, we can't know.
 */
async function hasLeft(ctx: Ctx, id: string, email: keyof typeof orderEmails, sentAt: Date | null) {
  if (sentAt) return true;
  const { first, again } = orderEmails[email];
  const jobs = [await jobOf(ctx, first, id), await jobOf(ctx, again, id)];
  return jobs.some((job) => job !== null && (job.lease !== null || isUncertain(job)));
}

const isUncertain = ({ attempts, lastError }: StoredJob) =>
  attempts > 0 && lastError?.startsWith(MailUncertain.name) === true;

/** Who finds an order by its former address must not find its renewals there either, nor get their mail. */
function correctSubscription(
  ctx: Ctx,
  { id, subscription, email: former }: Payment,
  { email, unusualEmailKey }: Partial<Payment>,
): Write[] {
  if (subscription === null || former === null) return [];
  const { db } = ctx.store;
  return [
    db
      .update(payments)
      .set({ email, unusualEmailKey, version: sql`${payments.version} + 1` })
      .where(and(eq(payments.subscription, subscription), eq(payments.email, former), ne(payments.id, id))),
    db
      .update(subscriptions)
      .set({ billingEmail: email, version: sql`${subscriptions.version} + 1` })
      .where(and(eq(subscriptions.id, id), eq(subscriptions.billingEmail, former))),
    enqueue(ctx, { topic: shopTopics.correctBilling, subject: id, payload: { former } }),
  ];
}

/** Gives each unredeemed key its next version; the commit fails if a customer redeems one meanwhile. */
async function replaceUnusedKeys(ctx: Ctx, payment: Payment, by: By) {
  const { id, sessionId, quantity } = payment;
  const unused = (await licencesOfPayment(ctx, id)).filter(({ redeemedAt }) => redeemedAt === null);
  if (unused.length === 0) return null;
  const keyEditions = nextVersions(
    payment.keyEditions,
    quantity,
    unused.map(({ paymentIndex }) => paymentIndex),
  );
  const order = { sessionId, keyEditions };
  const writes = unused.flatMap((licence) => [
    ...stillUnused(ctx, licence),
    ...putVersionedKey(ctx, order, licence, by),
  ]);
  const keep = enqueue(ctx, { topic: shopTopics.keepKeyVersions, subject: id });
  return { set: { keyEditions }, writes: [...writes, keep], many: unused.length };
}

const stillUnused = (ctx: Ctx, { id }: Licence): Write[] => [
  ctx.store.db
    .update(licences)
    .set({ redeemedAt: null })
    .where(and(eq(licences.id, id), isNull(licences.redeemedAt))),
  mustHaveChanged("conflict"),
];
