import { utcDay, utcTime } from "@/contract/vocabulary/dates";
import { and, eq, ne } from "drizzle-orm";
import { day } from "@/contract/vocabulary/time";
import type { Ctx } from "@/core/database/context";
import { notice } from "../../notice";
import { noPayload } from "@/core/database/topic";
import { entitles, isEntitling } from "../../licences/entitlement/entitlement";
import { givesRole } from "../../discord/roles";
import { contains } from "../../levels/ladder";
import { ladderOf } from "../../levels/list";
import { button, heading, paragraph } from "../../mail/blocks";
import type { Email } from "../../mail/email";
import { withRole } from "../../mail/format";
import { emailTemplate } from "../../mail/template";
import { offerOf } from "../../payments/port/order-terms";
import { accounts } from "../../schema/accounts";
import { licences } from "../../schema/licences";
import { payments } from "../../schema/payments";
import { unsubscribedSince, unsubscribeUrl } from "../unsubscribe";
import { whyMailing } from "../why-mailing";

/** A timed licence ends soon; the subject is the licence's id. */
export const licenceEndingEmail = emailTemplate({
  name: "mail.licence-ending",
  payload: noPayload,
  async prepare(ctx, { topic, subject }, { publicUrl, discord }) {
    const ending = await endingToRemindOf(ctx, subject);
    if (!ending) return null;
    const { licence, recipient, endsAt, ...content } = ending;
    const { id, lastReminderDays } = licence;
    const sentence = "The mail server rejected an email about the end of a license.";
    return {
      to: recipient.email,
      // another email a week and a day before each end, which an extension moves
      id: `licence-ending.${id}.${lastReminderDays}.${endsAt.getTime()}`,
      email: writeLicenceEnding({
        ...content,
        endsAt,
        hasRole: discord && content.hasRole,
        licenceUrl: new URL("/dashboard/license", publicUrl).href,
        unsubscribeUrl: unsubscribeUrl(ctx, recipient, publicUrl),
      }),
      about: { subject: id, accountId: recipient.id },
      rejected: () => notice(ctx, `${topic}:${id}`, { kind: "letter rejected", sentence }),
    };
  },
});

/** The current content of a reminder; null if the licence no longer ends soon, or its owner has unsubscribed. */
async function endingToRemindOf(ctx: Ctx, licenceId: string) {
  const now = ctx.now();
  const [found] = await ctx.store.db
    .select({ licence: licences, account: accounts, payment: payments })
    .from(licences)
    .innerJoin(accounts, eq(accounts.id, licences.accountId))
    .leftJoin(payments, eq(payments.id, licences.paymentId))
    .where(and(eq(licences.id, licenceId), entitles(ctx, now)));
  const endsAt = found?.licence.expiresAt;
  const email = found?.account.email;
  if (!endsAt || !email || (await unsubscribedSince(ctx, email))) return null;
  const others = await ctx.store.db
    .select()
    .from(licences)
    .where(and(eq(licences.accountId, found.account.id), ne(licences.id, licenceId)));
  const { licence, account, payment } = found;
  const ladder = await ladderOf(ctx);
  const isRenewed = others.some(
    (other) =>
      isEntitling(ctx, other) &&
      (other.expiresAt === null || other.expiresAt > endsAt) &&
      contains(ladder, other.level, licence.level),
  );
  if (isRenewed) return null;
  // the name at the sale; a licence that nobody bought has no other name
  const its = ladder.find(({ id }) => id === licence.level);
  const level = its?.name ?? licence.level;
  const productName = payment ? offerOf(payment).product : level;
  const daysLeft = Math.ceil((endsAt.getTime() - now.getTime()) / day);
  return {
    licence,
    recipient: { id: account.id, email },
    productName,
    level,
    hasRole: its !== undefined && givesRole(its),
    endsAt,
    daysLeft,
  };
}

type Content = {
  productName: string;
  /** The name of its level, and of that level's role. */
  level: string;
  endsAt: Date;
  daysLeft: number;
  /** Whether a Discord role comes with that level. */
  hasRole: boolean;
  licenceUrl: string;
  unsubscribeUrl: string;
};

export function writeLicenceEnding(content: Content): Email {
  const { productName, endsAt, daysLeft, licenceUrl, unsubscribeUrl: url } = content;
  const ends = `ends on ${utcDay(endsAt)} (${daysLeft === 1 ? "within a day" : `in ${daysLeft} days`})`;
  const intro = `Your ${productName} license is valid until ${utcTime(endsAt)}.`;
  return {
    kind: "licence-ending",
    unsubscribeUrl: url,
    subject: `Your ${productName} license ${ends}`,
    preheader: intro,
    blocks: [
      heading(`Your license ${ends}`),
      paragraph(intro),
      paragraph(
        `Renew before then to keep ${withRole(["downloads", "updates"], content)}. The new time is added to what's left.`,
      ),
      button("Renew", licenceUrl),
    ],
    why: whyMailing(),
  };
}
