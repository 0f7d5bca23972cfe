import { eq } from "drizzle-orm";
import type { Write } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { notice } from "@/core/notice";
import type { Handler, Handlers, Job } from "@/core/outbox";
import { keyOf } from "../licences/issue";
import { licencesOfPayment } from "../licences/sold";
import type { Licence, PaymentStanding } from "../schema/licences";
import { type Envelope, type Letter, type Mailer, MailRejected } from "../mail/letter";
import { billOf } from "../bills/bill";
import { termsOf } from "./order-terms";
import { paymentEvidence, payments } from "../schema/payments";

type Payment = typeof payments.$inferSelect;
/** What letters say of the shop. */
export type Shop = { publicUrl: URL; seller: string[] };
/** `licence` is the first of several; they share the payment's standing. */
type Addressed = Shop & { payment: Payment; licence: Licence | null; licences: Licence[] };
/** A letter, its name among the letters about the payment, and the writes once it is delivered. */
type Draft = {
  letter: Letter;
  name: string;
  /** Unless it goes to the buyer. */
  to?: string;
  delivered?: (messageId: string) => Write[];
};

/**
 * Outbox handlers for the letters about payments. Each is written from the state at sending; a letter that has become
 * untrue meanwhile is not sent.
 */
export function paymentLetters(ctx: Ctx, mailer: Mailer, shop: Shop): Handlers {
  const drafts: Record<string, (found: Addressed, job: Job) => Draft | null> = {
    "mail.receipt": (found) => (found.payment.receiptSentAt ? null : receipt(ctx, found, "receipt")),
    // under another id, or mail programs would take it for a repeat of the first
    "mail.receipt-again": (found, { createdAt, generation }) =>
      receipt(ctx, found, `receipt-again.${createdAt.getTime()}.${generation}`),
    "mail.gift": (found) => (found.payment.giftSentAt ? null : gift(ctx, found, "gift")),
    "mail.gift-again": (found, { createdAt, generation }) =>
      gift(ctx, found, `gift-again.${createdAt.getTime()}.${generation}`),
    "mail.payment-disputed": (found) => whileStanding(found, "disputed", "payment-disputed"),
    "mail.payment-lost": (found) => whileStanding(found, "revoked", "payment-lost"),
    "mail.payment-restored": restored,
    "mail.payment-refunded": refunded,
    "mail.payment-failed": (found) =>
      found.payment.state === "failed"
        ? { letter: { kind: "payment-failed", ...about(found) }, name: "failed" }
        : null,
  };
  const handler =
    (draft: (found: Addressed, job: Job) => Draft | null): Handler =>
    async (job) => {
      const { subject } = job;
      const found = await addressed(ctx, subject, shop);
      const written = found && draft(found, job);
      const to = written?.to ?? found?.payment.email;
      if (!written || !to) return [];
      // the same at every attempt, so that mail programs recognise a repeat after a crash (RFC 5322 §3.6.4)
      const messageId = `<${written.name}.${subject}@${shop.publicUrl.hostname}>`;
      const envelope = { to, messageId, letter: written.letter };
      const rejected = await deliver(ctx, mailer, envelope, subject);
      return rejected ?? written.delivered?.(messageId) ?? [];
    };
  return Object.fromEntries(Object.entries(drafts).map(([topic, draft]) => [topic, handler(draft)]));
}

function receipt(ctx: Ctx, found: Addressed, name: string): Draft | null {
  const { payment, licence, licences, publicUrl, seller } = found;
  // a payment disputed meanwhile gets its receipt when the dispute is won
  if (licence?.paymentStanding !== "good") return null;
  const { id } = payment;
  const letter: Letter = {
    kind: "receipt",
    keys: payment.giftEmail ? [] : licences.map((one) => keyOf(ctx, one)),
    giftTo: payment.giftEmail,
    quantity: payment.quantity,
    bill: billOf(payment),
    seller,
    invoiceUrl: payment.invoiceUrl,
    registerUrl: new URL("/register", publicUrl).href,
    paidAt: payment.paidAt ?? payment.createdAt,
    ...about(found),
  };
  const { db } = ctx.store;
  const delivered = (receiptMessageId: string) => [
    db.update(payments).set({ receiptSentAt: ctx.now() }).where(eq(payments.id, id)),
    db.update(paymentEvidence).set({ receiptMessageId }).where(eq(paymentEvidence.paymentId, id)),
  ];
  return { letter, name, delivered };
}

/** The key of a gift, to its receiver alone. */
function gift(ctx: Ctx, { payment, licence, publicUrl }: Addressed, name: string): Draft | null {
  const { id, giftEmail, giftFrom, giftMessage } = payment;
  if (licence?.paymentStanding !== "good" || giftEmail === null) return null;
  const letter: Letter = {
    kind: "gift",
    productName: termsOf(payment).product,
    key: keyOf(ctx, licence),
    from: giftFrom,
    message: giftMessage,
    registerUrl: new URL("/register", publicUrl).href,
  };
  const { db } = ctx.store;
  const delivered = () => [db.update(payments).set({ giftSentAt: ctx.now() }).where(eq(payments.id, id))];
  return { letter, name, to: giftEmail, delivered };
}

function whileStanding(
  found: Addressed,
  standing: PaymentStanding,
  kind: "payment-disputed" | "payment-lost",
): Draft | null {
  if (found.licence?.paymentStanding !== standing) return null;
  return { letter: { kind, ...about(found) }, name: kind.replace("payment-", "") };
}

function restored(found: Addressed): Draft | null {
  if (found.licence?.paymentStanding !== "good") return null;
  const because = found.payment.disputeStatus ? "dispute-won" : "refund-failed";
  return { letter: { kind: "payment-restored", because, ...about(found) }, name: `restored-${because}` };
}

function refunded(found: Addressed): Draft | null {
  const bill = billOf(found.payment);
  if (bill.refunded === 0) return null;
  const letter: Letter = { kind: "payment-refunded", ...about(found), bill };
  return { letter, name: `refunded-${bill.refunded}` };
}

async function addressed(ctx: Ctx, paymentId: string, shop: Shop): Promise<Addressed | null> {
  const [payment] = await ctx.store.db.select().from(payments).where(eq(payments.id, paymentId));
  if (!payment) return null;
  const licences = await licencesOfPayment(ctx, paymentId);
  return { ...shop, payment, licences, licence: licences[0] ?? null };
}

/** A permanent rejection ends the job and is reported to staff; any other error is thrown, to be tried again. */
async function deliver(ctx: Ctx, mailer: Mailer, envelope: Envelope, paymentId: string) {
  try {
    await mailer.send(envelope);
    return null;
  } catch (error) {
    if (!(error instanceof MailRejected)) throw error;
    const what = `${envelope.letter.kind} rejected`;
    return [notice(ctx, `${paymentId}:${what}`, { kind: "letter rejected", what })];
  }
}

const about = ({ payment, publicUrl }: Addressed) => ({
  productName: termsOf(payment).product,
  transactionId: payment.intentId ?? payment.sessionId,
  paymentUrl: new URL(`/success?session_id=${payment.sessionId}`, publicUrl).href,
});
