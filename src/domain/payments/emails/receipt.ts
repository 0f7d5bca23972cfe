import { brand } from "@/brand/brand";
import { token } from "@/brand/token";
import { utcDay, utcTime } from "@/contract/vocabulary/dates";
import { and, eq } from "drizzle-orm";
import { z } from "zod";
import { money } from "@/contract/vocabulary/money";
import { nextChargeText } from "@/contract/vocabulary/next-charge";
import { minute, second } from "@/contract/vocabulary/time";
import type { Ctx } from "@/core/database/context";
import { RetryLater } from "@/core/jobs/job-handlers";
import { enqueue } from "@/core/jobs/outbox";
import { shopTopics } from "../../outbox-topics";
import {
  accountRunsUntil,
  type KeyStep,
  nextKeyStep,
  type NextStep,
  runsUntilSentence,
  stepButton,
  stepSentence,
  stepUrl,
} from "../../licences/changes/key-step";
import { hasSameKeys } from "../../licences/keys/key-versions";
import { keyOf } from "../../licences/keys/issue";
import { keyAgain, mayMailKey } from "../../licences/keys/mailable-key";
import { button, codes, type Fact, facts, heading, lines, link, paragraph, quiet } from "../../mail/blocks";
import type { Email } from "../../mail/email";
import type { EmailJob } from "../../mail/template";
import { type Payment, paymentEvidence, payments } from "../../schema/payments";
import {
  type AboutPayment,
  aboutPayment,
  expectReadable,
  type FoundPayment,
  levelFacts,
  mailNotes,
  paymentButton,
  paymentEmail,
  paymentLink,
  priceFacts,
  whyPayment,
} from "../about-payment";
import type { Licence } from "../../schema/licences";
import { portalLink } from "../about-subscription";
import { mailedToken } from "../reading/mailed-key";
import { subscriptionOf } from "../reading/subscriptions";
import { type ChargedNext, chargedNext } from "../state/next-charge";

/**
 * Settling enqueues a receipt without a payload; `invoice.find` enqueues it again once it has asked for the invoice.
 */
const payload = z.object({ invoiceAsked: z.literal(true) }).nullable();

export const receiptEmail = paymentEmail("mail.receipt", payload, (ctx, found, job) => {
  expectReadable(found.payment);
  if (lacksInvoice(found, job)) return findInvoiceFirst(ctx, job.subject, "mail.receipt");
  return found.payment.receiptSentAt ? null : draft(ctx, found, job, { name: "receipt", shown: keyOf });
});

/** The receipt once more, under another Message-ID: mail programs would drop it as a repeat. */
export const receiptAgainEmail = paymentEmail("mail.receipt-again", payload, (ctx, found, job) => {
  expectReadable(found.payment);
  if (lacksInvoice(found, job)) return findInvoiceFirst(ctx, job.subject, "mail.receipt-again");
  const name = `receipt-again.${job.createdAt.getTime()}.${job.generation}`;
  return draft(ctx, found, job, { name, shown: keyAgain });
});

/** A shop that makes invoices sends a receipt only after asking Stripe for its invoice. */
const lacksInvoice = ({ shop, payment }: FoundPayment, job: EmailJob): boolean =>
  shop.invoices && job.payload === null && payment.invoiceUrl === null;

const findInvoiceFirst = (ctx: Ctx, subject: string, receipt: "mail.receipt" | "mail.receipt-again") => ({
  instead: [enqueue(ctx, { topic: shopTopics.findInvoice, subject, payload: { receipt } })],
});

type DraftOptions = { name: string; shown: typeof keyAgain };

async function draft(ctx: Ctx, found: FoundPayment, { createdAt }: EmailJob, { name, shown }: DraftOptions) {
  const { payment, licence, licences, shop } = found;
  // a payment disputed meanwhile gets its receipt when the shop wins the dispute
  if (licence?.paymentStatus !== "good") return null;
  const { id, accountId: buyer } = payment;
  const mailed = payment.giftEmail === null ? licences.filter((one) => mayMailKey(ctx, one)) : [];
  const step = await nextKeyStep(ctx, mailed, { to: payment.email ?? "", buyer });
  const email = writeReceipt({
    ...aboutPayment(found),
    keys: mailed.map((one) => shown(ctx, one)),
    giftTo: payment.giftEmail,
    seller: shop.seller,
    invoiceUrl: payment.invoiceUrl,
    portalUrl: payment.subscription === null ? null : await shop.portalLoginPage(),
    nextCharge: await nextChargeOf(ctx, payment, createdAt),
    step,
    stepUrl: stepUrl(step, shop.publicUrl, mailedToken(ctx, payment, mailed)),
    ...(await runsUntilOf(ctx, step, mailed[0])),
    paidAt: payment.paidAt ?? payment.createdAt,
  });
  const { db } = ctx.store;
  // not if staff corrected the address or replaced a key during sending
  const here = and(eq(payments.id, id), eq(payments.email, payment.email ?? ""), hasSameKeys(payment));
  const notes = mailNotes(ctx, "receipt", here);
  const delivered = (receiptMessageId: string) => [
    ...notes.delivered(),
    db.update(paymentEvidence).set({ receiptMessageId }).where(eq(paymentEvidence.paymentId, id)),
  ];
  return { name, to: payment.email, email, ...notes, delivered };
}

/** The subscription is stored in a commit after the sale, for which the receipt waits a little. */
async function nextChargeOf(ctx: Ctx, payment: Payment, since: Date): Promise<ChargedNext | null> {
  if (payment.subscription === null) return null;
  const held = await subscriptionOf(ctx, payment);
  if (held === null && since.getTime() > ctx.now().getTime() - minute)
    throw new RetryLater("the subscription is not settled yet", second);
  return chargedNext(held);
}

/** Asked only if the keys are on the reader's own account. */
async function runsUntilOf(ctx: Ctx, step: KeyStep, first: Licence | undefined) {
  const owner = step === "added" && first?.accountId;
  const runsUntil = owner ? await accountRunsUntil(ctx, owner, first.level) : undefined;
  return runsUntil === undefined ? {} : { runsUntil };
}

type Receipt = AboutPayment &
  NextStep & {
    /** Empty if the shop mailed the key to a gift's receiver, or staff revoked it. */
    keys: string[];
    /** The address that a gift's key was mailed to; empty once the receiver is erased. */
    giftTo: string | null;
    /** The seller's name and address, line by line. */
    seller: string[];
    invoiceUrl: string | null;
    /** Where the buyer of a subscription manages it without an account; null if there is no such page. */
    portalUrl: string | null;
    /** What its subscription charges next; null without one, or if that isn't known. */
    nextCharge: ChargedNext | null;
    paidAt: Date;
  };

export function writeReceipt(content: Receipt): Email {
  const { productName, keys, giftTo, invoiceUrl, portalUrl, nextCharge, seller, bill } = content;
  const key = keys.length > 1 ? "keys" : "key";
  return {
    kind: "receipt",
    subject:
      keys.length === 0
        ? `Your receipt for ${productName}`
        : `Your ${productName} license ${key} and receipt`,
    preheader: `${money(bill.paid, bill.currency)} for ${productName}.${goesTo({ giftTo })}`,
    blocks: [
      heading("Your payment went through"),
      paragraph(`Thank you for your purchase.${introduction({ keys, giftTo })}`),
      ...(keys.length > 0
        ? [codes(...keys), paragraph(nextOf(content)), ...nextButton(content)]
        : [paymentButton(content)]),
      facts(...factsOf(content)),
      ...(nextCharge ? [paragraph(nextChargeText(nextCharge, utcDay(nextCharge.at)))] : []),
      ...(keys.length > 0 ? [quiet(keepOf(content)), paymentLink(content)] : []),
      ...(invoiceUrl ? [link("See the invoice", invoiceUrl)] : []),
      ...portalLink(portalUrl),
      ...(seller.length > 0 ? [lines(...seller)] : []),
    ],
    why: whyPayment(content),
  };
}

type Keys = Pick<Receipt, "keys" | "giftTo">;

const goesTo = ({ giftTo }: Pick<Keys, "giftTo">): string =>
  giftTo === null ? "" : " The license key goes to its receiver.";

function introduction({ keys, giftTo }: Keys): string {
  if (giftTo !== null) return ` The license key goes to ${giftTo || "its receiver"}.`;
  if (keys.length === 0) return "";
  return keys.length > 1 ? " These are your license keys:" : " This is your license key:";
}

const nextOfMany = {
  register: "Each key activates one account. Register with one of them.",
  "sign-in": "Each key activates one account. Sign in and add one to yours.",
  spare: "Your account already has a lifetime license, so these keys are yours to give away.",
  covered: "Your account already has what these keys give, so they are yours to give away.",
  wait: "Your subscription is still running. Keep these keys and add one when that ends.",
  added: "They're already on your account.",
  used: "They're already in use.",
} as const satisfies Record<KeyStep, string>;

const nextOf = (content: Receipt) =>
  (content.keys.length > 1
    ? nextOfMany[content.step]
    : stepSentence(
        content,
        `Register with it, then download ${brand.shortName}${token ? " and paste your token into it" : ""}.`,
      )) + runsUntilSentence(content);

/** The license of a signed-in buyer is on the account already, and waits for the program. */
const nextButton = (content: Receipt) =>
  content.step === "added"
    ? [button(`Download ${brand.shortName}`, new URL("/dashboard/download", content.stepUrl).href)]
    : stepButton(content);

function keepOf({ keys, step }: Receipt): string {
  if (step === "added" || step === "used") return "Keep this email as proof of your purchase.";
  return keys.length > 1
    ? "Keep this email. Each key belongs to the first account that uses it."
    : "Keep this email and don't share the key. It belongs to the first account that uses it.";
}

function factsOf(content: Receipt): Fact[] {
  const { productName, quantity, bill, paidAt, transactionId } = content;
  const unlessNone = (name: string, minor: number): Fact[] =>
    minor > 0 ? [[name, money(minor, bill.currency)]] : [];
  return [
    ["Product", quantity > 1 ? `${quantity} × ${productName}` : productName],
    ...levelFacts(content),
    ...priceFacts(content),
    ["Amount", money(bill.paid, bill.currency)],
    ...unlessNone("Tax included", bill.tax_included),
    ...unlessNone("Refunded", bill.refunded),
    ["Date", utcTime(paidAt)],
    ["Transaction ID", transactionId],
  ];
}
