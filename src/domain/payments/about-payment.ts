import { and, asc, eq, inArray, isNotNull, type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import { priceChanges } from "@/contract/wire/bills";
import { money, signedMoney } from "@/contract/vocabulary/money";
import type { Bill } from "@/contract/wire/payments";
import { hour, minute, second } from "@/contract/vocabulary/time";
import type { Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { notice } from "../notice";
import { RetryLater } from "@/core/jobs/job-handlers";
import { billOf } from "../bills/bill";
import { type Block, button, type Fact, facts, heading, link, paragraph, quiet } from "../mail/blocks";
import type { Email } from "../mail/email";
import {
  type EmailJob,
  type EmailName,
  type EmailTemplate,
  emailTemplate,
  type Shop,
} from "../mail/template";
import { givesRole } from "../discord/roles";
import { levels } from "../schema/levels";
import { type Licence, licences } from "../schema/licences";
import { type Payment, payments, type RefusedMail } from "../schema/payments";
import { subscriptions } from "../schema/subscriptions";
import { isReadable, levelOf, offerOf } from "./port/order-terms";
import { paidPaymentsOfSubscription } from "./reading/subscriptions";
import { statusAfterMoneyBack } from "./state/status-after-money-back";

/** A payment with the licences that it paid for; `licence` is the first. */
export type FoundPayment = {
  payment: Payment;
  licence: Licence | null;
  licences: Licence[];
  /** Where Stripe bills its subscription now; null also for an erased buyer. */
  billingEmail: string | null;
  /** Whether the shop has several levels. */
  hasLevels: boolean;
  /** Whether a Discord role comes with the level bought. */
  hasRole: boolean;
  shop: Shop;
};

/** An email about a payment. `name` is unique among the payment's emails. */
type PaymentEmail = {
  name: string;
  email: Email;
  /** By default, the buyer's address at the time of sending; of a subscription, the one that Stripe bills. */
  to?: string | null;
  delivered?: (messageId: string) => Write[];
  refused?: (words: string) => Write[];
};

type PreparedEmail = PaymentEmail | { instead: Write[] } | null;

/**
 * An email about a payment, whose id is the subject. Written from the state at sending; null if it is no longer true.
 * Notifies staff if the mail server refuses it for good.
 */
export const paymentEmail = <S extends z.ZodType>(
  name: EmailName,
  payload: S,
  draft: (
    ctx: Ctx,
    found: FoundPayment,
    job: EmailJob<z.output<S>>,
  ) => PreparedEmail | Promise<PreparedEmail>,
): EmailTemplate<S> =>
  emailTemplate({
    name,
    payload,
    async prepare(ctx, job, shop) {
      const found = await find(ctx, job.subject, shop);
      if (found) await expectFollowed(ctx, found, job.createdAt);
      const drafted = found && (await draft(ctx, found, job));
      if (!drafted || "instead" in drafted) return drafted;
      const { payment } = found;
      const to = drafted.to ?? found.billingEmail ?? payment.email;
      if (!to) return null;
      const what = `${drafted.email.kind} rejected`;
      return {
        ...drafted,
        to,
        id: `${drafted.name}.${job.subject}`,
        about: { subject: payment.id, accountId: payment.accountId },
        rejected: () => notice(ctx, `${payment.id}:${what}`, { kind: "letter rejected", what }),
      };
    },
  });

/** The payment's refused mail with one more refusal, or with null without that. */
export const refusedMailWith = (letter: keyof RefusedMail, refusal: RefusedMail["receipt"] | null) =>
  sql<RefusedMail>`nullif(json_patch(coalesce(${payments.refusedMail}, '{}'), ${JSON.stringify({ [letter]: refusal })}), '{}')`;

/** The writes once the mail server has accepted an email that brings what was bought, or refused it for good. */
export function mailNotes(ctx: Ctx, letter: keyof RefusedMail, here: SQL | undefined) {
  const note = (set: Partial<Payment>, refusal: RefusedMail["receipt"] | null) =>
    ctx.store.db
      .update(payments)
      .set({ ...set, refusedMail: refusedMailWith(letter, refusal) })
      .where(here);
  const sentAt = letter === "gift" ? "giftSentAt" : "receiptSentAt";
  return {
    delivered: () => [note({ [sentAt]: ctx.now() }, null)],
    refused: (words: string) => [note({}, { at: ctx.now().getTime(), words })],
  };
}

/** For events that can happen to a payment twice: mail programs drop a second email with the same Message-ID. */
export const messageNameOfJob = (name: string, { createdAt }: EmailJob): string =>
  `${name}.${createdAt.getTime()}`;

/** Only the release that wrote the order knows whose keys they are: the email waits for that release. */
export function expectReadable(payment: Payment): void {
  if (!isReadable(payment)) throw new RetryLater("a newer release wrote the order", 15 * minute);
}

/** Waits until a subscription's licence has followed its payments, which happens in a commit after theirs. */
async function expectFollowed(ctx: Ctx, { payment, licence }: FoundPayment, since: Date): Promise<void> {
  // it never does if the subscription is gone at Stripe
  if (payment.subscription === null || !licence || since.getTime() < ctx.now().getTime() - hour) return;
  const paid = await paidPaymentsOfSubscription(ctx, payment.subscription);
  if (statusAfterMoneyBack(paid).paymentStatus === licence.paymentStatus) return;
  throw new RetryLater("the subscription is not settled yet", 5 * second);
}

async function find(ctx: Ctx, paymentId: string, shop: Shop): Promise<FoundPayment | null> {
  const { db } = ctx.store;
  // in one snapshot: an email to a former address must not contain the keys that replaced those sent there
  const [[payment], sold, [billed], ladder] = await db.batch([
    db.select().from(payments).where(eq(payments.id, paymentId)),
    db
      .select()
      .from(licences)
      .where(inArray(licences.paymentId, soldBy(ctx, paymentId)))
      .orderBy(asc(licences.paymentIndex)),
    db
      .select({ at: subscriptions.billingEmail })
      .from(payments)
      .innerJoin(subscriptions, eq(subscriptions.stripeId, payments.subscription))
      .where(and(eq(payments.id, paymentId), isNotNull(payments.email))),
    db.select({ id: levels.id, roleId: levels.roleId, isFirst: levels.isFirst }).from(levels),
  ]);
  if (!payment) return null;
  const bought = ladder.find(({ id }) => id === levelOf(payment).id);
  return {
    shop,
    payment,
    licences: sold,
    licence: sold[0] ?? null,
    billingEmail: billed?.at ?? null,
    hasLevels: ladder.length > 1,
    hasRole: shop.discord && bought !== undefined && givesRole(bought),
  };
}

/** The payment that the licences were sold with: for a renewal, the first payment of its subscription. */
const soldBy = ({ store: { db } }: Ctx, paymentId: string) =>
  db
    .select({ id: sql<string>`coalesce(${subscriptions.id}, ${payments.id})` })
    .from(payments)
    .leftJoin(subscriptions, eq(subscriptions.stripeId, payments.subscription))
    .where(eq(payments.id, paymentId));

/** What emails say about a payment. */
export type AboutPayment = {
  productName: string;
  /** The name of the level bought. */
  level: string;
  /** Whether the shop has several levels. */
  hasLevels: boolean;
  /** How many licences the payment was for. */
  quantity: number;
  transactionId: string;
  bill: Bill;
  /** The payment's page. Anybody may open it; only the key's owner sees the key there. */
  paymentUrl: string;
  /** Whether a Discord role comes with the level bought. */
  hasRole: boolean;
};

export const aboutPayment = ({ payment, shop, hasLevels, hasRole }: FoundPayment): AboutPayment => ({
  productName: offerOf(payment).product,
  level: levelOf(payment).name,
  hasLevels,
  quantity: payment.quantity,
  transactionId: payment.intentId ?? payment.sessionId,
  bill: billOf(payment),
  paymentUrl: new URL(`/success?session_id=${payment.sessionId}`, shop.publicUrl).href,
  hasRole,
});

const seePayment = "See this payment";
/** For an email with another button. */
export const paymentLink = ({ paymentUrl }: AboutPayment): Block => link(seePayment, paymentUrl);
export const paymentButton = ({ paymentUrl }: AboutPayment): Block => button(seePayment, paymentUrl);

/** How the amount of a payment is made up; nothing if it is the plain price. */
export function priceFacts({ bill }: AboutPayment): Fact[] {
  const changes = priceChanges(bill).map(({ name, amount }): Fact => [name, amount]);
  if (changes.length === 0) return [];
  return [["Price", signedMoney(bill.asked, bill.currency)], ...changes];
}

/** The level bought; nothing in a shop with one. */
export const levelFacts = ({ level, hasLevels }: AboutPayment): Fact[] =>
  hasLevels ? [["Level", level]] : [];

/** Which payment an email is about. */
function paymentFacts(about: AboutPayment): Block {
  const { productName, quantity, bill, transactionId } = about;
  const paid: Fact[] = bill.paid > 0 ? [["Paid", money(bill.paid, bill.currency)]] : [];
  const product = quantity > 1 ? `${quantity} × ${productName}` : productName;
  return facts(["Product", product], ...levelFacts(about), ...paid, ["Transaction ID", transactionId]);
}

/** An email about the outcome of a payment: links to its page, and says `which` it is. */
export const paymentEmailTemplate = (
  about: AboutPayment,
  { title, text, which = paymentFacts(about), quietly, ...head }: Content,
): Email => ({
  ...head,
  blocks: [
    heading(title),
    ...text.map((one) => (typeof one === "string" ? paragraph(one) : one)),
    paymentButton(about),
    which,
    ...(quietly ? [quiet(quietly)] : []),
  ],
  why: whyPayment(about),
});
type Content = Pick<Email, "kind" | "subject" | "preheader"> & {
  title: string;
  text: (string | Block)[];
  which?: Block;
  quietly?: string;
};

export const whyPayment = ({ productName }: AboutPayment): string =>
  `You're receiving this because ${productName} was bought with this address.`;
