import { eq } from "drizzle-orm";
import { brand } from "@/brand/brand";
import type { Ctx } from "@/core/context";
import { type Handler, post } from "@/core/outbox";
import { keyOf } from "../licences/issue";
import { licences } from "../licences/tables";
import { type Envelope, type Letter, type Mailer, MailRejected } from "../mail/letter";
import { payments } from "./tables";

type Payment = typeof payments.$inferSelect;

/** How the outbox delivers the letters about payments. */
export function paymentLetters(ctx: Ctx, mailer: Mailer, publicUrl: URL): Record<string, Handler> {
  const deliver = (envelope: Envelope, payment: Payment) =>
    deliverOrReport(ctx, mailer, { envelope, payment });
  return {
    "mail.receipt": async ({ subject }) => {
      const found = await paidOrder(ctx, subject);
      // a payment that went bad meanwhile gets its receipt when it comes good again
      if (!found || found.licence.paymentStanding !== "good") return [];
      const { payment, licence, to } = found;
      const letter: Letter = {
        kind: "receipt",
        productName: brand.premium.name,
        key: keyOf(ctx, licence),
        amount: payment.amount,
        currency: payment.currency,
        paidAt: payment.paidAt ?? payment.createdAt,
        transactionId: payment.intentId ?? payment.sessionId,
        registerUrl: new URL("/register", publicUrl).href,
      };
      const failure = await deliver(
        { to, messageId: messageId("receipt", subject, publicUrl), letter },
        payment,
      );
      if (failure) return failure;
      return [
        ctx.store.db.update(payments).set({ receiptSentAt: ctx.now() }).where(eq(payments.id, subject)),
      ];
    },
    "mail.payment-disputed": async ({ subject }) => {
      const found = await paidOrder(ctx, subject);
      if (!found) return [];
      const { payment, to } = found;
      const letter: Letter = { kind: "payment-disputed", ...about(payment) };
      const id = messageId("disputed", subject, publicUrl);
      return (await deliver({ to, messageId: id, letter }, payment)) ?? [];
    },
    "mail.payment-refunded": async ({ subject }) => {
      const found = await paidOrder(ctx, subject);
      if (!found) return [];
      const { payment, to } = found;
      const { refundedAmount: amount, currency } = payment;
      const letter: Letter = { kind: "payment-refunded", ...about(payment), amount, currency };
      const id = messageId(`refunded-${amount}`, subject, publicUrl);
      return (await deliver({ to, messageId: id, letter }, payment)) ?? [];
    },
  };
}

async function paidOrder(ctx: Ctx, paymentId: string) {
  const [found] = await ctx.store.db
    .select({ payment: payments, licence: licences })
    .from(payments)
    .innerJoin(licences, eq(licences.paymentId, payments.id))
    .where(eq(payments.id, paymentId));
  return found?.payment.email ? { ...found, to: found.payment.email } : null;
}

/** A refusal for good ends the job and is told to staff; anything else is thrown and tried again. */
async function deliverOrReport(
  ctx: Ctx,
  mailer: Mailer,
  { envelope, payment }: { envelope: Envelope; payment: Payment },
) {
  try {
    await mailer.send(envelope);
    return null;
  } catch (error) {
    if (!(error instanceof MailRejected)) throw error;
    const what = `${envelope.letter.kind} rejected`;
    return [post(ctx, { topic: "staff.notice", subject: `${payment.id}:${what}`, payload: { what } })];
  }
}

const about = (payment: Payment) => ({
  productName: brand.premium.name,
  transactionId: payment.intentId ?? payment.sessionId,
});

/** The same at every attempt, so that a repeat after a crash can be recognised (RFC 5322 §3.6.4). */
const messageId = (what: string, paymentId: string, publicUrl: URL) =>
  `<${what}.${paymentId}@${publicUrl.hostname}>`;
