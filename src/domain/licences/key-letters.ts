import { and, eq, isNull, sql } from "drizzle-orm";
import { brand } from "@/brand/brand";
import { minute } from "@/contract/time";
import type { Ctx } from "@/core/context";
import { notice } from "@/core/notice";
import { type Handlers, RetryLater } from "@/core/outbox";
import type { Mailer } from "../mail/letter";
import { sendLetter } from "../mail/send-letter";
import { accounts } from "../schema/accounts";
import { type Licence, licences } from "../schema/licences";
import { type Payment, payments } from "../schema/payments";
import { keyOf } from "./issue";
import { mayMailKeyTo } from "./mailable-key";
import { keyStep, stepUrl } from "./key-step";

export const keyTopic = "mail.licence-key";
export const replacedKeyTopic = "mail.licence-key-replaced";

/** Knows whether this release can read an order, and so whose keys they are. */
type Orders = { isReadable: (payment: Payment) => boolean };

/**
 * Mails a key again to whoever owns the licence at delivery, or a replaced key to its buyer until it is redeemed; one of
 * an order that a newer release wrote waits for that release.
 */
export const keyLetters = (ctx: Ctx, mailer: Mailer, publicUrl: URL, orders: Orders): Handlers => ({
  [keyTopic]: async (job) => {
    const [found] = await ctx.store.db
      .select({ licence: licences, to: accounts.email })
      .from(licences)
      .innerJoin(accounts, eq(accounts.id, licences.accountId))
      .where(eq(licences.id, job.subject));
    if (!found || !(await mayMailKeyTo(ctx, found.licence, found.to))) return [];
    return send(ctx, mailer, publicUrl, {
      ...found,
      buyer: found.licence.accountId,
      kind: "licence-key",
      messageId: `key.${found.licence.id}.${job.createdAt.getTime()}.${job.generation}`,
      rejected: {
        topic: keyTopic,
        sentence: "The mail server rejected a licence key that was being mailed again.",
      },
    });
  },
  [replacedKeyTopic]: async ({ subject, createdAt }) => {
    const [found] = await ctx.store.db
      .select({
        licence: licences,
        to: sql<string | null>`coalesce(${payments.giftEmail}, ${payments.email}, ${accounts.email})`,
        payment: payments,
      })
      .from(licences)
      .innerJoin(payments, eq(payments.id, licences.paymentId))
      .leftJoin(accounts, eq(accounts.id, payments.accountId))
      .where(and(eq(licences.id, subject), isNull(licences.redeemedAt)));
    if (found && !orders.isReadable(found.payment)) {
      throw new RetryLater("a newer release wrote the order", newerReleaseMilliseconds);
    }
    if (!found?.to || !(await mayMailKeyTo(ctx, found.licence, found.to))) return [];
    return send(ctx, mailer, publicUrl, {
      licence: found.licence,
      to: found.to,
      buyer: found.payment.giftEmail === null ? found.payment.accountId : null,
      kind: "licence-key-replaced",
      messageId: `key-replaced.${subject}.${createdAt.getTime()}`,
      rejected: {
        topic: replacedKeyTopic,
        sentence: `The mail server rejected the replacement key of licence ${subject}: its buyer doesn't have it.`,
      },
    });
  },
});

const newerReleaseMilliseconds = 15 * minute;

type KeyLetter = {
  licence: Licence;
  to: string;
  buyer: string | null;
  kind: "licence-key" | "licence-key-replaced";
  messageId: string;
  /** What staff are told if the mail server rejects it for good. */
  rejected: { topic: string; sentence: string };
};

async function send(
  ctx: Ctx,
  mailer: Mailer,
  publicUrl: URL,
  { licence, to, buyer, kind, messageId, rejected }: KeyLetter,
) {
  const step = await keyStep(ctx, [licence], { to, buyer });
  const envelope = {
    to,
    messageId: `<${messageId}@${publicUrl.hostname}>`,
    letter: {
      kind,
      productName: brand.premium.name,
      key: keyOf(ctx, licence),
      step,
      stepUrl: stepUrl(step, publicUrl),
    },
  };
  const refused = await sendLetter(ctx, mailer, envelope, { subject: licence.id, accountId: buyer });
  if (!refused) return [];
  const { topic, sentence } = rejected;
  return [refused, ...notice(ctx, `${topic}:${licence.id}`, { kind: "letter rejected", sentence })];
}
