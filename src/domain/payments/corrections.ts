import { and, eq, sql } from "drizzle-orm";
import { audit, type ByHand } from "@/core/audit";
import { commit, mustHaveChanged, type Write } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { jobOf, post } from "@/core/outbox";
import { Refusal } from "@/core/refusal";
import { licencesOfPayment } from "../licences/sold";
import { buyerAt, receiverAt } from "./order-terms";
import { type Payment, payments } from "../schema/payments";

/**
 * Mails the receipt once more, and a gift's key to its receiver. Refuses with `payment_not_sold`,
 * `payment_without_email`, or the reason for which its licence is not valid.
 */
export async function resendReceipt(ctx: Ctx, payment: Payment, by: ByHand): Promise<void> {
  expectSold(payment);
  if (payment.state !== "succeeded") {
    const code = payment.state === "refunded" ? "license_refunded" : "license_disputed";
    throw new Refusal(code, { sentence: `The payment is ${payment.state}, so its receipt is not sent.` });
  }
  if (!payment.email) throw new Refusal("payment_without_email");
  const { id, accountId } = payment;
  if ((await licencesOfPayment(ctx, id)).every(({ revokedAt }) => revokedAt !== null)) {
    throw new Refusal("license_revoked", {
      sentence: "Its licence was revoked, so its receipt is not sent.",
    });
  }
  await commit(ctx.store, [
    await mailAgain(ctx, "receipt", id),
    ...(payment.giftEmail ? [await mailAgain(ctx, "gift", id)] : []),
    audit(ctx, { ...by, action: "payment.receipt_resent", subject: id, accountId }),
  ]);
  ctx.wake();
}

/**
 * Replaces an address that the buyer mistyped, and mails the receipt there. What Stripe holds stays as it is. Refuses
 * with `payment_not_sold`, `email_unchanged` or `conflict`.
 */
export async function correctEmail(ctx: Ctx, payment: Payment, email: string, by: ByHand): Promise<void> {
  expectSold(payment);
  if (payment.email === email) throw new Refusal("email_unchanged", { field: "email" });
  await correct(ctx, payment, by, {
    set: { ...buyerAt(email), receiptSentAt: null },
    letter: "receipt",
    action: "payment.email_corrected",
  });
}

/**
 * Replaces the address of a gift's receiver that the buyer mistyped, and mails the key there. Refuses with
 * `payment_not_sold`, `payment_not_gift`, `email_unchanged`, `license_taken` or `conflict`.
 */
export async function correctReceiver(ctx: Ctx, payment: Payment, email: string, by: ByHand): Promise<void> {
  expectSold(payment);
  if (!payment.giftEmail) throw new Refusal("payment_not_gift");
  if (payment.giftEmail === email) throw new Refusal("email_unchanged", { field: "email" });
  if ((await licencesOfPayment(ctx, payment.id)).some(({ redeemedAt }) => redeemedAt !== null)) {
    throw new Refusal("license_taken", { sentence: "Its key has been redeemed, so it is not sent again." });
  }
  await correct(ctx, payment, by, {
    set: { ...receiverAt(email), giftSentAt: null },
    letter: "gift",
    action: "payment.receiver_corrected",
  });
}

/** Until the sale, the address is whatever Stripe says. */
function expectSold(payment: Payment): void {
  if (payment.soldAt === null) throw new Refusal("payment_not_sold");
}

/** Mails a letter once more. One that still waits is mailed once, and now. */
async function mailAgain(ctx: Ctx, letter: "receipt" | "gift", id: string): Promise<Write> {
  const waits = (await jobOf(ctx, `mail.${letter}`, id)) !== null;
  return post(ctx, {
    topic: waits ? `mail.${letter}` : `mail.${letter}-again`,
    subject: id,
    ahead: true,
  });
}

type Correction = {
  set: Partial<Payment>;
  letter: "receipt" | "gift";
  action: string;
};

async function correct(
  ctx: Ctx,
  { id, version, accountId }: Payment,
  by: ByHand,
  { set, letter, action }: Correction,
) {
  await commit(ctx.store, [
    ctx.store.db
      .update(payments)
      // a settlement that read the old address must read again
      .set({ ...set, version: sql`${payments.version} + 1` })
      .where(and(eq(payments.id, id), eq(payments.version, version))),
    mustHaveChanged("conflict"),
    await mailAgain(ctx, letter, id),
    audit(ctx, { ...by, action, subject: id, accountId }),
  ]);
  ctx.wake();
}
