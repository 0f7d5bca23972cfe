import { and, eq, inArray } from "drizzle-orm";
import { z } from "zod";
import { noPayload } from "@/core/database/topic";
import type { Ctx } from "@/core/database/context";
import { enqueue } from "@/core/jobs/outbox";
import { auditLog } from "@/core/database/schema";
import { money } from "@/contract/vocabulary/money";
import type { EmailJob } from "../../mail/template";
import type { Licence } from "../../schema/licences";
import { amount as amountPanel, facts } from "../../mail/blocks";
import { withRole } from "../../mail/format";
import {
  type AboutPayment,
  aboutPayment,
  levelFacts,
  type FoundPayment,
  messageNameOfJob,
  paymentEmail,
  paymentEmailTemplate,
} from "../about-payment";
import { licenceKeyReplacedEmail } from "./licence-key-replaced";

/** A delayed payment failed. */
export const paymentFailedEmail = paymentEmail("mail.payment-failed", noPayload, (_, found) =>
  found.payment.state === "failed"
    ? { name: "failed", email: writePaymentFailed(aboutPayment(found)) }
    : null,
);

export function writePaymentFailed(about: AboutPayment) {
  const { productName, quantity } = about;
  const unissued = `You weren't charged, and no license ${quantity > 1 ? "keys were" : "key was"} issued.`;
  return paymentEmailTemplate(about, {
    kind: "payment-failed",
    subject: `Your payment for ${productName} failed`,
    preheader: unissued,
    title: "Your payment failed",
    text: [
      `Your bank declined your payment for ${productName}.`,
      `${unissued} You can try again with another payment method.`,
    ],
  });
}

/** A second trial was cancelled at once. */
export const trialTakenEmail = paymentEmail("mail.trial-taken", noPayload, (_, found) =>
  found.payment.state === "failed"
    ? { name: "trial-taken", email: writeTrialTaken(aboutPayment(found)) }
    : null,
);

export function writeTrialTaken(about: AboutPayment) {
  const { productName } = about;
  return paymentEmailTemplate(about, {
    kind: "trial-taken",
    subject: `Your trial of ${productName} was canceled`,
    preheader: "You can have one free trial. Nothing was charged.",
    title: "Your trial was canceled",
    text: [
      "You can have one free trial, and this account, address or card already had one. Nothing was charged, and no license key was issued.",
      `To subscribe to ${productName} without a trial, order again in the browser you used.`,
    ],
  });
}

export const paymentDisputedEmail = paymentEmail("mail.payment-disputed", noPayload, (_, found, job) =>
  found.licence?.paymentStatus === "disputed"
    ? { name: messageNameOfJob("disputed", job), email: writePaymentDisputed(aboutPayment(found)) }
    : null,
);

export function writePaymentDisputed(about: AboutPayment) {
  const { productName, quantity } = about;
  return paymentEmailTemplate(about, {
    kind: "payment-disputed",
    subject: `Your payment for ${productName} is disputed`,
    preheader: `Your ${quantity > 1 ? "licenses are" : "license is"} paused until the dispute is decided.`,
    title: "Your payment is disputed",
    text: [
      `Your bank told us that your payment for ${productName} is disputed.`,
      quantity > 1
        ? `Your licenses are paused until the dispute is decided, so ${withRole(["downloads"], about)} are paused too. ` +
          "If it's decided in our favor, everything is restored automatically. If not, your licenses end."
        : `Your license is paused until the dispute is decided, so ${withRole(["downloads"], about)} are paused too. ` +
          "If it's decided in our favor, everything is restored automatically. If not, your license ends.",
    ],
    quietly: "If you didn't mean to dispute it, ask your bank to withdraw the dispute and write to us.",
  });
}

/** The bank decided a dispute against the shop: the licences have ended. */
export const paymentLostEmail = paymentEmail("mail.payment-lost", noPayload, (_, found, job) =>
  found.licence?.paymentStatus === "revoked"
    ? { name: messageNameOfJob("lost", job), email: writePaymentLost(aboutPayment(found)) }
    : null,
);

export function writePaymentLost(about: AboutPayment) {
  const { productName, quantity } = about;
  const several = quantity > 1;
  return paymentEmailTemplate(about, {
    kind: "payment-lost",
    subject: `Your ${several ? "licenses" : "license"} for ${productName} ${several ? "have" : "has"} ended`,
    preheader: "The dispute was decided in your favor, and your payment was returned.",
    title: several ? "Your licenses have ended" : "Your license has ended",
    text: [
      `The dispute over your payment for ${productName} was decided in your favor, and your bank returned the money to you.`,
      `Your ${several ? "licenses have" : "license has"} ended, and so have ${withRole(["downloads"], about)}. Your account is still here.`,
    ],
    quietly: "If you didn't mean to dispute the payment, please write to us.",
  });
}

/** A dispute has ended. */
export const paymentRestoredEmail = paymentEmail("mail.payment-restored", noPayload, (ctx, found, job) =>
  restoredEmail(ctx, { ...found, job, because: "dispute-won" }),
);

export const paymentRefundFailedEmail = paymentEmail(
  "mail.payment-refund-failed",
  noPayload,
  (ctx, found, job) => restoredEmail(ctx, { ...found, job, because: "refund-failed" }),
);

type Cause = "dispute-won" | "refund-failed";
type RestoredPayment = FoundPayment & { job: EmailJob; because: Cause };

async function restoredEmail(ctx: Ctx, { job, because, ...found }: RestoredPayment) {
  if (found.licence?.paymentStatus !== "good") return null;
  const unmailed = await unmailedKeys(ctx, found.licences);
  return {
    name: messageNameOfJob(`restored-${because}`, job),
    email: writePaymentRestored({ ...aboutPayment(found), because }),
    delivered: () => unmailed.map(({ id }) => enqueue(ctx, { topic: licenceKeyReplacedEmail, subject: id })),
  };
}

/** The licences whose key was replaced while they were invalid, when no email could contain it. */
async function unmailedKeys(ctx: Ctx, licences: Licence[]): Promise<Licence[]> {
  const { subject, action, detail } = auditLog;
  const ids = licences.map(({ id }) => id);
  const replaced = await ctx.store.db
    .select({ subject, detail })
    .from(auditLog)
    .where(and(inArray(subject, ids), eq(action, "licence.key_reissued")));
  const isUnmailed = (id: string) =>
    replaced.some((one) => one.subject === id && one.detail?.["mailed"] === false);
  return licences.filter(({ id, redeemedAt }) => redeemedAt === null && isUnmailed(id));
}

/** The licences are valid again. */
export function writePaymentRestored(about: AboutPayment & { because: Cause }) {
  const { productName, quantity, because } = about;
  const several = quantity > 1;
  const licences = several ? "licenses" : "license";
  return paymentEmailTemplate(about, {
    kind: "payment-restored",
    subject: `Your ${licences} for ${productName} ${several ? "are" : "is"} back`,
    preheader: several ? "They work as before." : "It works as before.",
    title: several ? "Your licenses are back" : "Your license is back",
    text: [
      because === "dispute-won"
        ? `The dispute over the payment for ${productName} is over.`
        : `The refund of the payment for ${productName} failed, so the payment stands. If we agreed on a refund, we'll be in touch about another way.`,
      `The ${withRole([licences, "downloads"], about)} work as before. You don't need to do anything.`,
    ],
  });
}

/** `amount` in minor units. */
const partRefund = z.object({ amount: z.int().positive() });

/** A refund failed that had not ended the licences. */
export const paymentPartRefundFailedEmail = paymentEmail(
  "mail.payment-part-refund-failed",
  partRefund,
  (_, found, job) => {
    const { amount } = job.payload;
    const email = writePaymentPartRefundFailed({ ...aboutPayment(found), amount });
    return { name: messageNameOfJob("part-refund-failed", job), email };
  },
);

/** `amount` is the failed refund, in minor units. */
type PartRefund = AboutPayment & { amount: number };

export function writePaymentPartRefundFailed(content: PartRefund) {
  const { productName, amount, bill, transactionId } = content;
  return paymentEmailTemplate(content, {
    kind: "payment-part-refund-failed",
    subject: `A refund for ${productName} did not reach you`,
    preheader: `${money(amount, bill.currency)} was returned to us.`,
    title: "A refund did not reach you",
    text: [
      "Your bank didn't accept a refund from us, so the money came back. That can happen when a card has expired.",
      amountPanel("Returned to us", money(amount, bill.currency)),
      "If we agreed on the refund, we'll be in touch about another way.",
    ],
    which: facts(
      ["Product", productName],
      ...levelFacts(content),
      ["Total refunded", money(bill.refunded, bill.currency)],
      ["Transaction ID", transactionId],
    ),
  });
}
