import { and, asc, eq, inArray } from "drizzle-orm";
import { arePlainWords } from "@/contract/plain-words";
import { minute } from "@/contract/time";
import type { Write } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { notice } from "@/core/notice";
import { type Handler, type Handlers, type Job, post, RetryLater } from "@/core/outbox";
import type { Payload } from "@/core/outbox-topics";
import { auditLog } from "@/core/schema";
import { keyOf } from "../licences/issue";
import { mayMailKey } from "../licences/mailable-key";
import { keyStep, stepUrl } from "../licences/key-step";
import { type Licence, licences as licencesTable, type PaymentStanding } from "../schema/licences";
import type { Envelope, Letter, Mailer } from "../mail/letter";
import { sendLetter } from "../mail/send-letter";
import { billOf } from "../bills/bill";
import type { CheckoutGateway } from "./checkout";
import { isReadable, offerOf } from "./order-terms";
import { settle } from "./settle";
import { type Payment, paymentEvidence, payments } from "../schema/payments";

/** What letters say of the shop; `invoices` is where receipts look for their invoice, in a shop that makes some. */
export type Sender = { publicUrl: URL; seller: string[]; invoices: CheckoutGateway | null };
/** `licence` is the first of several; they share the payment's standing. */
type Addressed = Sender & { payment: Payment; licence: Licence | null; licences: Licence[] };
/** A letter, its name among the letters about the payment, and the writes once it is delivered. */
type Draft = {
  letter: Letter;
  name: string;
  /** The address; without it, the buyer's at the time of sending. */
  to?: string | null;
  delivered?: (messageId: string) => Write[];
};

type Drafting = (found: Addressed, job: Job) => Draft | null | Promise<Draft | null>;

/** For what can happen to a payment twice: mail programs drop a second letter with the same Message-ID. */
const eachTime =
  (draft: (found: Addressed, job: Job) => Draft | null | Promise<Draft | null>): Drafting =>
  async (found, job) => {
    const written = await draft(found, job);
    return written && { ...written, name: `${written.name}.${job.createdAt.getTime()}` };
  };

/** Stripe makes the invoice moments after the payment. A receipt waits for it this long, and then goes without. */
const invoicePatienceMilliseconds = 30_000;
const invoicePauseMilliseconds = 3_000;

/**
 * Outbox handlers for the letters about payments. Each is written from the state at sending; a letter that has become
 * untrue meanwhile is not sent.
 */
export function paymentLetters(ctx: Ctx, mailer: Mailer, sender: Sender): Handlers {
  const drafts: Record<string, Drafting> = {
    "mail.receipt": (found) => (found.payment.receiptSentAt ? null : receipt(ctx, found, "receipt")),
    // under another id, or mail programs would take it for a repeat of the first
    "mail.receipt-again": (found, job) => receipt(ctx, found, nameOf("receipt-again", job)),
    "mail.gift": (found) => (found.payment.giftSentAt ? null : gift(ctx, found, "gift")),
    "mail.gift-again": (found, job) => gift(ctx, found, nameOf("gift-again", job)),
    "mail.payment-disputed": eachTime((found) => whileStanding(found, "disputed", "payment-disputed")),
    "mail.payment-lost": eachTime((found) => whileStanding(found, "revoked", "payment-lost")),
    "mail.payment-restored": eachTime((found) =>
      restored(ctx, found, found.payment.disputeStatus ? "dispute-won" : "refund-failed"),
    ),
    "mail.payment-refund-failed": eachTime((found) => restored(ctx, found, "refund-failed")),
    "mail.payment-refunded": eachTime(refunded),
    "mail.payment-part-refund-failed": eachTime(partRefundFailed),
    "mail.payment-failed": (found) =>
      found.payment.state === "failed"
        ? { letter: { kind: "payment-failed", ...about(found) }, name: "failed" }
        : null,
  };
  const handler =
    (draft: Drafting): Handler =>
    async (job) => {
      const { subject } = job;
      const found = await addressed(ctx, subject, sender);
      if (found && bearsKeys(job) && !isReadable(found.payment)) throw new RetryLater(...newerRelease);
      if (found && lacksInvoice(found, job)) {
        return [post(ctx, { topic: "invoice.find", subject, payload: { receipt: job.topic } })];
      }
      const written = found && (await draft(found, job));
      const to = written?.to ?? found?.payment.email;
      if (!written || !to) return [];
      // the same at every attempt, so that mail programs recognise a repeat after a crash (RFC 5322 §3.6.4)
      const messageId = `<${written.name}.${subject}@${sender.publicUrl.hostname}>`;
      const envelope = { to, messageId, letter: written.letter };
      const rejected = await deliver(ctx, mailer, envelope, found.payment);
      return rejected ?? written.delivered?.(messageId) ?? [];
    };
  const letters: Handlers = Object.fromEntries(
    Object.entries(drafts).map(([topic, draft]) => [topic, handler(draft)]),
  );
  return { ...letters, "invoice.find": (job) => findInvoice(ctx, sender, job) };
}

/** Whose keys they are only the release knows that wrote the order: the letter waits for it. */
const newerRelease = ["a newer release wrote the order", 15 * minute] as const;
const bearsKeys = ({ topic }: Job) => /^mail\.(receipt|gift)/.test(topic);

/** In a shop that makes invoices, a receipt goes out once Stripe has been asked for its own. */
const lacksInvoice = (
  { invoices, payment }: Addressed,
  job: Job,
): job is Job<"mail.receipt" | "mail.receipt-again"> =>
  invoices !== null &&
  (job.topic === "mail.receipt" || job.topic === "mail.receipt-again") &&
  job.payload === null &&
  payment.invoiceUrl === null;

/**
 * Asks Stripe for an invoice that was not there at the sale, and posts the receipt once it is; without it, when Stripe
 * has not made one in time or the key may not read it. In a lane of its own, because Stripe may be slow.
 */
async function findInvoice(
  ctx: Ctx,
  { invoices }: Sender,
  { subject, payload, createdAt }: Job<"invoice.find">,
): Promise<Write[]> {
  const done = [post(ctx, { topic: payload.receipt, subject, payload: { invoiceAsked: true } })];
  const [payment] = await ctx.store.db.select().from(payments).where(eq(payments.id, subject));
  if (!invoices || !payment || payment.invoiceUrl) return done;
  const facts = await invoices.read(payment.sessionId).catch(() => null);
  if (facts?.invoice === "unread") return done;
  const settled = facts?.invoice && (await settle(ctx, invoices, payment.sessionId).catch(() => null));
  if (settled?.invoiceUrl || ctx.now().getTime() - createdAt.getTime() >= invoicePatienceMilliseconds)
    return done;
  throw new RetryLater("Stripe has not made the invoice yet", invoicePauseMilliseconds);
}

const nameOf = (letter: string, { createdAt, generation }: Job) =>
  `${letter}.${createdAt.getTime()}.${generation}`;

async function receipt(ctx: Ctx, found: Addressed, name: string): Promise<Draft | null> {
  const { payment, licence, licences, publicUrl, seller } = found;
  // a payment disputed meanwhile gets its receipt when the dispute is won
  if (licence?.paymentStanding !== "good") return null;
  const { id, accountId: buyer } = payment;
  const mailed = payment.giftEmail === null ? licences.filter((one) => mayMailKey(ctx, one)) : [];
  const step = await keyStep(ctx, mailed, { to: payment.email ?? "", buyer });
  const letter: Letter = {
    kind: "receipt",
    keys: mailed.map((one) => keyOf(ctx, one)),
    giftTo: payment.giftEmail,
    bill: billOf(payment),
    seller,
    invoiceUrl: payment.invoiceUrl,
    step,
    stepUrl: stepUrl(step, publicUrl),
    paidAt: payment.paidAt ?? payment.createdAt,
    ...about(found),
  };
  const { db } = ctx.store;
  // not if the address was corrected while it was being sent
  const here = and(eq(payments.id, id), eq(payments.email, payment.email ?? ""));
  const delivered = (receiptMessageId: string) => [
    db.update(payments).set({ receiptSentAt: ctx.now() }).where(here),
    db.update(paymentEvidence).set({ receiptMessageId }).where(eq(paymentEvidence.paymentId, id)),
  ];
  return { letter, name, to: payment.email, delivered };
}

/** The key of a gift, to its receiver alone. */
async function gift(
  ctx: Ctx,
  { payment, licence, publicUrl }: Addressed,
  name: string,
): Promise<Draft | null> {
  const { id, giftEmail, giftFrom, giftMessage } = payment;
  if (!licence || !mayMailKey(ctx, licence) || giftEmail === null) return null;
  const step = await keyStep(ctx, [licence], { to: giftEmail, buyer: null });
  const letter: Letter = {
    kind: "gift",
    productName: offerOf(payment).product,
    key: keyOf(ctx, licence),
    ...plainWords(giftFrom, giftMessage),
    step,
    stepUrl: stepUrl(step, publicUrl),
  };
  const { db } = ctx.store;
  const here = and(eq(payments.id, id), eq(payments.giftEmail, giftEmail));
  const delivered = () => [db.update(payments).set({ giftSentAt: ctx.now() }).where(here)];
  return { letter, name, to: giftEmail, delivered };
}

/** An order of the release before may have words that are refused today; they are left out. */
const plainWords = (from: string | null, message: string | null) => ({
  from: from !== null && arePlainWords(from) ? from : null,
  message: message !== null && arePlainWords(message) ? message : null,
});

function whileStanding(
  found: Addressed,
  standing: PaymentStanding,
  kind: "payment-disputed" | "payment-lost",
): Draft | null {
  if (found.licence?.paymentStanding !== standing) return null;
  return { letter: { kind, ...about(found) }, name: kind.replace("payment-", "") };
}

async function restored(
  ctx: Ctx,
  found: Addressed,
  because: "dispute-won" | "refund-failed",
): Promise<Draft | null> {
  if (found.licence?.paymentStanding !== "good") return null;
  const unmailed = await unmailedKeys(ctx, found.licences);
  const letter: Letter = { kind: "payment-restored", because, ...about(found) };
  const delivered = () =>
    unmailed.map(({ id }) => post(ctx, { topic: "mail.licence-key-replaced", subject: id }));
  return { letter, name: `restored-${because}`, delivered };
}

/** The licences whose key was replaced while they did not stand, when no letter could have it. */
async function unmailedKeys(ctx: Ctx, licences: Licence[]): Promise<Licence[]> {
  const { subject, action, detail } = auditLog;
  const replaced = await ctx.store.db
    .select({ subject, detail })
    .from(auditLog)
    .where(
      and(
        inArray(
          subject,
          licences.map(({ id }) => id),
        ),
        eq(action, "licence.key_reissued"),
      ),
    );
  const isUnmailed = (id: string) =>
    replaced.some((one) => one.subject === id && one.detail?.["mailed"] === false);
  return licences.filter(({ id, redeemedAt }) => redeemedAt === null && isUnmailed(id));
}

function refunded(found: Addressed): Draft | null {
  const bill = billOf(found.payment);
  if (bill.refunded === 0) return null;
  const letter: Letter = { kind: "payment-refunded", ...about(found), bill };
  return { letter, name: `refunded-${bill.refunded}` };
}

function partRefundFailed(found: Addressed, { payload }: Job): Draft | null {
  const { amount } = payload as Payload<"mail.payment-part-refund-failed">;
  const letter: Letter = {
    kind: "payment-part-refund-failed",
    ...about(found),
    bill: billOf(found.payment),
    amount,
  };
  return { letter, name: "part-refund-failed" };
}

async function addressed(ctx: Ctx, paymentId: string, sender: Sender): Promise<Addressed | null> {
  const { db } = ctx.store;
  // at one moment: no letter to a former address may have the keys that replaced those that went there
  const [[payment], sold] = await db.batch([
    db.select().from(payments).where(eq(payments.id, paymentId)),
    db
      .select()
      .from(licencesTable)
      .where(eq(licencesTable.paymentId, paymentId))
      .orderBy(asc(licencesTable.paymentIndex)),
  ]);
  if (!payment) return null;
  return { ...sender, payment, licences: sold, licence: sold[0] ?? null };
}

/** A permanent rejection ends the job and is reported to staff; any other error is thrown, to be tried again. */
async function deliver(ctx: Ctx, mailer: Mailer, envelope: Envelope, { id, accountId }: Payment) {
  const rejected = await sendLetter(ctx, mailer, envelope, { subject: id, accountId });
  if (!rejected) return null;
  const what = `${envelope.letter.kind} rejected`;
  return [rejected, ...notice(ctx, `${id}:${what}`, { kind: "letter rejected", what })];
}

const about = ({ payment, publicUrl }: Addressed) => ({
  productName: offerOf(payment).product,
  quantity: payment.quantity,
  transactionId: payment.intentId ?? payment.sessionId,
  paymentUrl: new URL(`/success?session_id=${payment.sessionId}`, publicUrl).href,
});
