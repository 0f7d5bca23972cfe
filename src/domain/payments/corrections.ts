import { and, eq, sql } from "drizzle-orm";
import { audit, type ByHand } from "@/core/audit";
import { commit, mustHaveChanged } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { post } from "@/core/outbox";
import { Refusal } from "@/core/refusal";
import { payments } from "../schema/payments";

type Payment = typeof payments.$inferSelect;

/**
 * Mails the receipt once more, and a gift's key to its receiver. Refuses with `payment_not_sold` or
 * `payment_without_email`.
 */
export async function resendReceipt(ctx: Ctx, payment: Payment, by: ByHand): Promise<void> {
  expectSold(payment);
  if (!payment.email) throw new Refusal("payment_without_email");
  await commit(ctx.store, [
    post(ctx, { topic: "mail.receipt-again", subject: payment.id, ahead: true }),
    ...(payment.giftEmail ? [post(ctx, { topic: "mail.gift-again", subject: payment.id, ahead: true })] : []),
    audit(ctx, {
      ...by,
      action: "payment.receipt_resent",
      subject: payment.id,
      accountId: payment.accountId,
    }),
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
  const { id, version, accountId } = payment;
  await commit(ctx.store, [
    ctx.store.db
      .update(payments)
      // a settlement that read the old address must read again
      .set({ email, receiptSentAt: null, version: sql`${payments.version} + 1` })
      .where(and(eq(payments.id, id), eq(payments.version, version))),
    mustHaveChanged("conflict"),
    post(ctx, { topic: "mail.receipt-again", subject: id, ahead: true }),
    audit(ctx, { ...by, action: "payment.email_corrected", subject: id, accountId }),
  ]);
  ctx.wake();
}

/**
 * Replaces the address of a gift's receiver that the buyer mistyped, and mails the key there. Refuses with
 * `payment_not_sold`, `payment_not_gift`, `email_unchanged` or `conflict`.
 */
export async function correctReceiver(ctx: Ctx, payment: Payment, email: string, by: ByHand): Promise<void> {
  expectSold(payment);
  if (!payment.giftEmail) throw new Refusal("payment_not_gift");
  if (payment.giftEmail === email) throw new Refusal("email_unchanged", { field: "email" });
  const { id, version, accountId } = payment;
  await commit(ctx.store, [
    ctx.store.db
      .update(payments)
      .set({ giftEmail: email, giftSentAt: null, version: sql`${payments.version} + 1` })
      .where(and(eq(payments.id, id), eq(payments.version, version))),
    mustHaveChanged("conflict"),
    post(ctx, { topic: "mail.gift-again", subject: id, ahead: true }),
    audit(ctx, { ...by, action: "payment.receiver_corrected", subject: id, accountId }),
  ]);
  ctx.wake();
}

/** Until the sale, the address is whatever Stripe says. */
function expectSold(payment: Payment): void {
  if (payment.soldAt === null) throw new Refusal("payment_not_sold");
}
