import { and, asc, desc, eq, gte, inArray, or } from "drizzle-orm";
import { isoDay, utcTime } from "@/contract/vocabulary/dates";
import { money } from "@/contract/vocabulary/money";
import type { By } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import { commit } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { Refusal } from "@/core/base/refusal";
import { auditLog } from "@/core/database/schema";
import { type Licence, licences } from "../../schema/licences";
import { billOf } from "../../bills/bill";
import { type Payment, paymentEvidence } from "../../schema/payments";
import { ladderOf } from "../../levels/list";
import { authorize, expectConfirmed } from "../../permissions";
import { devices } from "../../schema/devices";
import type { Subscription } from "../../schema/subscriptions";
import {
  type CheckoutGateway,
  CheckoutUnreachable,
  type DisputeEvidence,
  type DisputesAnswered,
} from "../port/stripe";
import { levelOf, offerOf } from "../port/order-terms";
import { refundsSummary } from "../checkout/legal-texts";
import { unsealBuyer } from "../checkout/purchase-evidence";
import { paidPaymentsOfSubscription, subscriptionOf } from "../reading/subscriptions";
import { settle } from "../settlement/settle";

/** The log entries that a bank sees, in words. The account may not be the buyer's: customers may give a key away. */
const sentences: Record<string, string> = {
  "licence.redeemed": "The license key was redeemed on an account of the shop.",
  "licence.added": "The license was added to the account that the buyer was signed in to.",
  "device.bound": "That account activated the application on a computer.",
  "build.downloaded": "That account downloaded the application.",
};
/** True of every purchase: the checkout has always had these links. */
const linked =
  "The Terms of Service and the Refunds Policy are linked from the page on which a checkout is opened.";
/** Of a long history we send the beginning. */
const mostEntries = 200;

type Sale = { payment: Payment; licences: Licence[] };
type KeptEvidence = typeof paymentEvidence.$inferSelect;

/**
 * Stripe's evidence fields for a payment, from what was recorded at the purchase and what the log says happened to the
 * licences since, with an owner's own words.
 */
export async function evidenceFor(
  ctx: Ctx,
  { payment, licences: sold }: Sale,
  ownWords = "",
): Promise<DisputeEvidence> {
  const subscription = await subscriptionOf(ctx, payment);
  // a renewal was agreed to at the checkout that began the subscription
  const boughtWith = subscription?.id ?? payment.id;
  const [kept] = await ctx.store.db
    .select()
    .from(paymentEvidence)
    .where(eq(paymentEvidence.paymentId, boughtWith));
  const buyer = kept && unsealBuyer(ctx, boughtWith, kept.buyerSealed);
  const story = orderStory(payment, kept, buyer?.userAgent);
  const history = subscription
    ? newestOf(await subscriptionHistory(ctx, subscription), story)
    : oldestOf(await activities(ctx, sold), story);
  const paidAt = payment.paidAt ?? payment.createdAt;
  const refundsPolicy = await refundsSummary(ctx, kept);
  const level = (await ladderOf(ctx)).length > 1 ? ` (${levelOf(payment).name})` : "";
  return {
    product_description: `${offerOf(payment).product}${level}: ${countOf(sold.length)} for downloadable software, shown on screen and sent by email once the payment is confirmed.${subscription ? " It is a subscription: each paid invoice renews the license, and the customer can cancel it at any time." : ""}`,
    service_date: isoDay(paidAt),
    ...(payment.email ? { customer_email_address: payment.email } : {}),
    ...(buyer ? { customer_purchase_ip: buyer.address } : {}),
    access_activity_log: [...story, ...history].join("\n"),
    refund_policy_disclosure: kept
      ? `The Terms of Service (edition of ${kept.termsEdition}) and the Refunds Policy were in force when the checkout was opened on ${utcTime(kept.termsAcceptedAt)}. ${linked}`
      : linked,
    ...(refundsPolicy === null ? {} : { refund_refusal_explanation: refundsPolicy }),
    ...(ownWords === "" ? {} : { uncategorized_text: ownWords }),
  };
}

/** What an owner reads before {@link contestDispute} sends it. */
export async function evidenceToRead(ctx: Ctx, sale: Sale, { actor }: Pick<By, "actor">) {
  authorize(actor, "payment.contest");
  const fields = Object.entries(await evidenceFor(ctx, sale)) as [keyof DisputeEvidence, string][];
  return fields.map(([field, text]) => ({ field, title: evidenceTitles[field], text }));
}

/** What each part is, in an owner's words. */
export const evidenceTitles: Record<keyof DisputeEvidence, string> = {
  product_description: "What was sold",
  service_date: "Delivered on",
  customer_email_address: "Buyer's email",
  customer_purchase_ip: "Buyer's network address",
  access_activity_log: "What happened",
  refund_policy_disclosure: "How the buyer saw the refund policy",
  refund_refusal_explanation: "Refund policy",
  uncategorized_text: "Your own words",
};

/**
 * Submits {@link evidenceFor} for every dispute of a payment that awaits evidence, and settles. Resolves to how many
 * disputes it contested. Refuses with `payment_unknown` where nothing was charged, with `dispute_answered` if none awaits
 * it, and with `confirm`: evidence is sent once. Throws `CheckoutUnreachable`, or `CheckoutRefused` with Stripe's sentence.
 */
export async function contestDispute(
  ctx: Ctx,
  gateway: CheckoutGateway,
  sale: Sale,
  { text = "", ...by }: By & { text?: string | undefined },
): Promise<number> {
  authorize(by, "payment.contest");
  const intentId = expectAnswerable(ctx, sale, by, "payment.contest");
  const done = await gateway.contest(intentId, await evidenceFor(ctx, sale, text));
  await noteAnswer(ctx, gateway, sale, { ...by, ...done, action: "payment.contested" });
  if (done.answered === 0) throw new Refusal("dispute_answered");
  return done.answered;
}

/**
 * Accepts as lost the dispute of a payment that awaits evidence first, which is the one that staff see. It can't be
 * undone. Settles: the licence falls when Stripe says so. Refuses as {@link contestDispute}, and with `dispute_inquiry`.
 */
export async function acceptDispute(ctx: Ctx, gateway: CheckoutGateway, sale: Sale, by: By): Promise<void> {
  authorize(by, "payment.accept_dispute");
  const intentId = expectAnswerable(ctx, sale, by, "payment.accept_dispute");
  const { inquiries, ...done } = await gateway.acceptDispute(intentId);
  await noteAnswer(ctx, gateway, sale, { ...by, ...done, action: "payment.dispute_accepted" });
  if (done.answered === 0) throw new Refusal(inquiries > 0 ? "dispute_inquiry" : "dispute_answered");
}

function expectAnswerable(
  ctx: Ctx,
  { payment: { intentId } }: Sale,
  by: By,
  operation: "payment.contest" | "payment.accept_dispute",
): string {
  if (!intentId) throw new Refusal("payment_unknown");
  expectConfirmed(ctx, by, operation);
  return intentId;
}

type Answer = By & DisputesAnswered & { action: "payment.contested" | "payment.dispute_accepted" };

/** Throws what kept the provider from taking all answers; what it took stands. */
async function noteAnswer(
  ctx: Ctx,
  gateway: CheckoutGateway,
  { payment: { id, sessionId } }: Sale,
  { answered, failure, ...entry }: Answer,
): Promise<void> {
  if (answered > 0) await commit(ctx.store, [record(ctx, { ...entry, subject: id })]);
  if (failure !== null) throw failure;
  await settle(ctx, gateway, sessionId).catch((error: unknown) => {
    // Stripe has the answer, and tells us what came of it
    if (answered === 0 || !(error instanceof CheckoutUnreachable)) throw error;
  });
}

/** Stripe accepts this many characters in one field, and a limited number of pages in all. */
const mostCharacters = 20_000;

/** As many lines as fit into a field after those that stand before them. */
function oldestOf(lines: string[], before: string[]): string[] {
  let left = mostCharacters - lengthOf(before) - leftOut.length;
  const fitting = lines.findIndex((line) => (left -= line.length + 1) < 0);
  return fitting === -1 ? lines : [...lines.slice(0, fitting), leftOut];
}

const newestOf = (lines: string[], before: string[]): string[] =>
  oldestOf(lines.toReversed(), before).toReversed();

const leftOut = "Further entries are left out.";
const lengthOf = (lines: string[]) => lines.reduce((sum, line) => sum + line.length + 1, 0);

const countOf = (keys: number) => (keys > 1 ? `${keys} license keys` : "a license key");

async function activities(ctx: Ctx, sold: Licence[]): Promise<string[]> {
  if (sold.length < 2) return activity(ctx, sold[0] ?? null);
  const logs: string[] = [];
  for (const [at, licence] of sold.entries()) {
    logs.push(`License key ${at + 1} of ${sold.length}:`, ...(await activity(ctx, licence)));
  }
  return logs;
}

/** The licence's history, oldest first, without what its account did before redeeming it. */
async function activity(ctx: Ctx, licence: Licence | null): Promise<string[]> {
  if (!licence?.redeemedAt) return ["The license key has not been redeemed."];
  const { id, accountId, redeemedAt } = licence;
  const rows = await ctx.store.db
    .select({ at: auditLog.at, action: auditLog.action, subject: auditLog.subject })
    .from(auditLog)
    .where(
      and(
        or(accountId ? eq(auditLog.accountId, accountId) : undefined, eq(auditLog.subject, id)),
        inArray(auditLog.action, Object.keys(sentences)),
        or(gte(auditLog.at, redeemedAt), eq(auditLog.subject, id)),
      ),
    )
    .orderBy(asc(auditLog.at))
    .limit(mostEntries);
  return rows
    .filter(({ action, subject }) => !action.startsWith("licence.") || subject === id)
    .map(({ at, action }) => `${utcTime(at)}  ${sentences[action]}`);
}

function orderStory(
  payment: Payment,
  kept: KeptEvidence | undefined,
  userAgent: string | undefined,
): string[] {
  const { paidAt, receiptSentAt, giftSentAt, email } = payment;
  const { paid, currency } = billOf(payment);
  const price = money(paid, currency);
  return [
    `${utcTime(payment.createdAt)}  The checkout was opened${userAgent ? ` in this browser: ${userAgent}` : ""}.`,
    ...(paidAt ? [`${utcTime(paidAt)}  ${price} was paid${email ? ` by ${email}` : ""}.`] : []),
    ...(receiptSentAt
      ? [`${utcTime(receiptSentAt)}  The mail server accepted ${mail(payment, kept)} for delivery.`]
      : []),
    ...(giftSentAt
      ? [
          `${utcTime(giftSentAt)}  The mail server accepted the license key for delivery to the address that the buyer gave for this gift.`,
        ]
      : []),
  ];
}

const mail = ({ giftEmail, quantity }: Payment, kept: KeptEvidence | undefined) =>
  `the receipt${giftEmail === null ? ` with the license ${quantity > 1 ? "keys" : "key"}` : ""}${kept?.receiptMessageId ? ` (Message-ID ${kept.receiptMessageId})` : ""}`;

/** What an account does with its licence, in words for a bank. */
const uses: Record<string, string> = {
  "account.signed_in": "The account with the license signed in to the shop.",
  "build.downloaded": "That account downloaded the application.",
  "device.bound": "That account activated the application on a computer.",
  "device.signed_in": "The application was signed in to that account on a computer.",
};
/** Of a long history we send what is newest. */
const mostInvoices = 120;
const mostUses = 300;

type Line = { at: Date; text: string };

/** All paid invoices of a subscription and the use of its licence between them, oldest first. */
async function subscriptionHistory(
  ctx: Ctx,
  { stripeId, id: firstPaymentId }: Pick<Subscription, "stripeId" | "id">,
): Promise<string[]> {
  const { db } = ctx.store;
  const paid = (await paidPaymentsOfSubscription(ctx, stripeId)).slice(0, mostInvoices);
  const [licence] = await db.select().from(licences).where(eq(licences.primaryPaymentId, firstPaymentId));
  const { accountId = null, redeemedAt = null } = licence ?? {};
  const used = accountId && redeemedAt ? await usesOf(ctx, accountId, redeemedAt) : [];
  return [...paid.flatMap(invoiceLines), ...used]
    .toSorted((one, other) => one.at.getTime() - other.at.getTime())
    .map(({ at, text }) => `${utcTime(at)}  ${text}`);
}

function invoiceLines(payment: Payment): Line[] {
  const { paidAt, createdAt, periodEndsAt, refundedAt } = payment;
  const { paid, refunded, currency } = billOf(payment);
  const until = periodEndsAt ? ` It paid until ${utcTime(periodEndsAt)}.` : "";
  const given = refundedAt ? [{ at: refundedAt, text: `${money(refunded, currency)} was refunded.` }] : [];
  return [
    { at: paidAt ?? createdAt, text: `An invoice of ${money(paid, currency)} was paid.${until}` },
    ...given,
  ];
}

async function usesOf({ store: { db } }: Ctx, accountId: string, since: Date): Promise<Line[]> {
  const logged = await db
    .select({ at: auditLog.at, action: auditLog.action })
    .from(auditLog)
    .where(
      and(
        eq(auditLog.accountId, accountId),
        inArray(auditLog.action, Object.keys(uses)),
        gte(auditLog.at, since),
      ),
    )
    .orderBy(desc(auditLog.at))
    .limit(mostUses);
  const computers = await db
    .select({ first: devices.firstSeenAt, last: devices.lastSeenAt })
    .from(devices)
    .where(eq(devices.accountId, accountId));
  return [
    { at: since, text: "The license was added to an account of the shop." },
    ...logged.map(({ at, action }) => ({ at, text: uses[action] ?? action })),
    ...computers.map(({ first, last }) => ({
      at: last,
      text: `The application on a computer of that account had its license confirmed, first on ${utcTime(first)} and last now.`,
    })),
  ];
}
