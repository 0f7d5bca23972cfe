import { and, eq, isNotNull, isNull, ne, sql } from "drizzle-orm";
import { type By, isOnlySupport } from "@/core/actor";
import { record } from "@/core/audit";
import { commit, mustHaveChanged, mustNotExist, type Write } from "@/core/commit";
import { type Ctx, newId } from "@/core/context";
import type { StoredJob } from "@/core/job-handlers";
import { jobOf, enqueue } from "@/core/outbox";
import { Refusal } from "@/core/refusal";
import { expectNoCopy } from "@/core/restored-copy";
import { shopTopics } from "@/core/outbox-topics";
import { editionKey, nextEditions, putEditionKey } from "../../licences/key-editions";
import { maskKey } from "../../licences/keys";
import { licencesOfPayment } from "../../licences/sold";
import { buyerAt, receiverAt } from "../checkout/order-terms";
import { MailUncertain } from "../../mail/email";
import { type Licence, licences } from "../../schema/licences";
import { type Payment, payments } from "../../schema/payments";
import { subscriptions } from "../../schema/subscriptions";
import { addressCorrectedEmail } from "../emails/address-corrected";
import { giftAgainEmail, giftEmail } from "../emails/gift";
import { receiptAgainEmail, receiptEmail } from "../emails/receipt";
import { renewalReceiptAgainEmail, renewalReceiptEmail } from "../emails/renewal-receipt";
import { firstOrderOf } from "../subscriptions/list";
import { authorize } from "../../permissions";

/**
 * Mails the receipt again, and a gift's key to its receiver. Refuses with `payment_not_sold`, `payment_without_email`,
 * `copy` on a restored copy, or the reason why its licence is not valid.
 */
export async function resendReceipt(ctx: Ctx, payment: Payment, by: By): Promise<void> {
  authorize(by, "payment.resend_receipt");
  // a restored copy would not send the email
  await expectNoCopy(ctx);
  expectSold(payment);
  if (payment.state !== "succeeded") {
    const code = payment.state === "refunded" ? "license_refunded" : "license_disputed";
    throw new Refusal(code, { sentence: `The payment is ${payment.state}, so its receipt is not sent.` });
  }
  if (!payment.email) throw new Refusal("payment_without_email");
  const { id, accountId } = payment;
  const first = await firstOrderOf(ctx, payment);
  if ((await licencesOfPayment(ctx, first.id)).every(({ revokedAt }) => revokedAt !== null)) {
    throw new Refusal("license_revoked", {
      sentence: "Its licence was revoked, so its receipt is not sent.",
    });
  }
  await commit(ctx.store, [
    await mailAgain(ctx, first.id === id ? "receipt" : "renewal", id),
    ...(payment.giftEmail ? [await mailAgain(ctx, "gift", id)] : []),
    record(ctx, { ...by, action: "payment.receipt_resent", subject: id, accountId }),
  ]);
}

/**
 * Replaces an address that the buyer mistyped, and mails the receipt to the new one. Replaces the keys that the receipt
 * took to the wrong address, unless they are redeemed. A renewal means its subscription's first order. Of a subscription,
 * the customer at Stripe follows, if they had the same address there. Resolves to how many keys it replaced; refuses with `payment_not_sold`,
 * `email_unchanged`, `conflict`, or `copy` on a restored copy.
 */
export async function correctEmail(ctx: Ctx, named: Payment, email: string, by: By): Promise<number> {
  authorize(by, "payment.correct_email");
  await expectNoCopy(ctx);
  const payment = await firstOrderOf(ctx, named);
  expectSold(payment);
  if (payment.email === email) throw new Refusal("email_unchanged", { field: "email" });
  return correct(ctx, payment, by, {
    former: payment.email,
    set: { ...buyerAt(email), receiptSentAt: null },
    email: "receipt",
    // a gift's receipt has no key
    leaked: payment.giftEmail === null && (await hasLeft(ctx, payment.id, "receipt", payment.receiptSentAt)),
    action: "payment.email_corrected",
  });
}

/**
 * Replaces an address of a gift's receiver that the buyer mistyped, and mails the key to the new one: a new key, if the
 * first went to the wrong address. Resolves to how many keys it replaced; refuses with `payment_not_sold`,
 * `payment_not_gift`, `email_unchanged`, `license_taken`, `conflict`, or `copy` on a restored copy.
 */
export async function correctReceiver(ctx: Ctx, named: Payment, email: string, by: By): Promise<number> {
  authorize(by, "payment.correct_email");
  await expectNoCopy(ctx);
  const payment = await firstOrderOf(ctx, named);
  expectSold(payment);
  if (!payment.giftEmail) throw new Refusal("payment_not_gift");
  if (payment.giftEmail === email) throw new Refusal("email_unchanged", { field: "email" });
  if ((await licencesOfPayment(ctx, payment.id)).some(({ redeemedAt }) => redeemedAt !== null)) {
    throw new Refusal("license_taken", { sentence: "Its key has been redeemed, so it is not sent again." });
  }
  return correct(ctx, payment, by, {
    former: payment.giftEmail,
    set: { ...receiverAt(email), giftSentAt: null },
    email: "gift",
    leaked: await hasLeft(ctx, payment.id, "gift", payment.giftSentAt),
    action: "payment.receiver_corrected",
  });
}

/** Before the sale, the address comes from Stripe. */
function expectSold(payment: Payment): void {
  if (payment.soldAt === null) throw new Refusal("payment_not_sold");
}

/** The receipt of a renewal contains no key, the others do; `again` sends the same email under another Message-ID. */
const emails = {
  receipt: { first: receiptEmail, again: receiptAgainEmail },
  gift: { first: giftEmail, again: giftAgainEmail },
  renewal: { first: renewalReceiptEmail, again: renewalReceiptAgainEmail },
} as const;

/** Mails it again; an email that is still waiting goes out once, now. */
async function mailAgain(ctx: Ctx, email: keyof typeof emails, id: string): Promise<Write> {
  const { first, again } = emails[email];
  const waits = (await jobOf(ctx, first, id)) !== null;
  return waits
    ? enqueue(ctx, { topic: first, subject: id, priority: true })
    : enqueue(ctx, { topic: again, subject: id, priority: true });
}

type Correction = {
  /** The address until now. */
  former: string | null;
  set: Partial<Payment>;
  email: "receipt" | "gift";
  /** Whether the keys may have reached the wrong address. */
  leaked: boolean;
  action: "payment.email_corrected" | "payment.receiver_corrected";
};

/**
 * Whether an email was delivered, is being delivered, or may have been: if the connection broke before the mail
 * server's answer, we can't know.
 */
async function hasLeft(ctx: Ctx, id: string, email: keyof typeof emails, sentAt: Date | null) {
  if (sentAt) return true;
  const { first, again } = emails[email];
  const jobs = [await jobOf(ctx, first, id), await jobOf(ctx, again, id)];
  return jobs.some((job) => job !== null && (job.lease !== null || isUncertain(job)));
}

const isUncertain = ({ attempts, lastError }: StoredJob) =>
  attempts > 0 && lastError?.startsWith(MailUncertain.name) === true;

async function correct(
  ctx: Ctx,
  payment: Payment,
  by: By,
  { former, set, email, leaked, action }: Correction,
): Promise<number> {
  const { id, version, accountId } = payment;
  const replaced = leaked ? await replaceUnusedKeys(ctx, payment, by) : null;
  await commit(ctx.store, [
    ctx.store.db
      .update(payments)
      // a settlement that read the old address must read again
      .set({ ...set, ...replaced?.set, version: sql`${payments.version} + 1` })
      .where(and(eq(payments.id, id), eq(payments.version, version))),
    mustHaveChanged("conflict"),
    ...(action === "payment.email_corrected" ? correctSubscription(ctx, payment, set) : []),
    ...(replaced?.writes ?? []),
    ...(isOnlySupport(by.actor) ? [mustBeUnredeemed(ctx, id), ...tellFormer(ctx, id, former)] : []),
    await mailAgain(ctx, email, id),
    record(ctx, { ...by, action, subject: id, accountId }),
  ]);
  return replaced?.many ?? 0;
}

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

/** Support may correct only what nobody has redeemed: fails the commit with `license_taken`. */
const mustBeUnredeemed = ({ store: { db } }: Ctx, paymentId: string): Write =>
  mustNotExist(
    db
      .select({ id: licences.id })
      .from(licences)
      .where(and(eq(licences.paymentId, paymentId), isNotNull(licences.redeemedAt))),
    "license_taken",
    { sentence: "A key of that order has been redeemed, so only an owner corrects its address." },
  );

/** The address from which support took an order hears of it. */
const tellFormer = (ctx: Ctx, paymentId: string, former: string | null): Write[] =>
  former === null
    ? []
    : [
        enqueue(ctx, {
          topic: addressCorrectedEmail,
          subject: `${paymentId}:${newId()}`,
          payload: { to: former },
        }),
      ];

/** Gives each unredeemed key its next edition; the commit fails if a customer redeems one meanwhile. */
async function replaceUnusedKeys(ctx: Ctx, payment: Payment, by: By) {
  const { id, sessionId, quantity } = payment;
  const unused = (await licencesOfPayment(ctx, id)).filter(({ redeemedAt }) => redeemedAt === null);
  if (unused.length === 0) return null;
  const keyEditions = nextEditions(
    payment.keyEditions,
    quantity,
    unused.map(({ paymentIndex }) => paymentIndex),
  );
  const order = { sessionId, keyEditions };
  const writes = unused.flatMap((licence) => [
    ...stillUnused(ctx, licence),
    ...putEditionKey(ctx, order, licence),
    record(ctx, {
      ...by,
      action: "licence.key_rotated",
      subject: licence.id,
      accountId: null,
      detail: { key: maskKey(editionKey(ctx, order, licence.paymentIndex)) },
    }),
  ]);
  const keep = enqueue(ctx, { topic: shopTopics.keepEditions, subject: id });
  return { set: { keyEditions }, writes: [...writes, keep], many: unused.length };
}

const stillUnused = (ctx: Ctx, { id }: Licence): Write[] => [
  ctx.store.db
    .update(licences)
    .set({ redeemedAt: null })
    .where(and(eq(licences.id, id), isNull(licences.redeemedAt))),
  mustHaveChanged("conflict"),
];
