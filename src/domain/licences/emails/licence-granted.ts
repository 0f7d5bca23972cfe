import { and, eq, isNotNull } from "drizzle-orm";
import { brand } from "@/brand/brand";
import { notice } from "../../notice";
import { nothing } from "@/core/database/topic";
import { button, codes, heading, paragraph } from "../../mail/blocks";
import type { Email } from "../../mail/email";
import { emailTemplate } from "../../mail/template";
import { accounts } from "../../schema/accounts";
import { licences } from "../../schema/licences";
import { keyOf } from "../keys/issue";
import { accountRunsUntil, runsUntilSentence, stepUrl } from "../changes/key-step";
import { mayMailKeyTo } from "../keys/mailable-key";

/** Tells an account's owner that staff added a licence to it; the subject is the licence's id. */
export const licenceGrantedEmail = emailTemplate({
  name: "mail.licence-granted",
  payload: nothing,
  async prepare(ctx, { topic, subject }, { publicUrl }) {
    const [found] = await ctx.store.db
      .select({ licence: licences, to: accounts.email, accountId: accounts.id })
      .from(licences)
      .innerJoin(accounts, eq(accounts.id, licences.accountId))
      .where(and(eq(licences.id, subject), isNotNull(accounts.emailConfirmedAt)));
    if (!found?.to || !(await mayMailKeyTo(ctx, found.licence, found.to))) return null;
    const { licence, to, accountId } = found;
    const runsUntil = await accountRunsUntil(ctx, accountId);
    const sentence = "The mail server rejected the email about a licence that staff added to an account.";
    return {
      to,
      id: `licence-granted.${subject}`,
      email: writeLicenceGranted({
        productName: brand.premium.name,
        key: keyOf(ctx, licence),
        licenceUrl: stepUrl("added", publicUrl),
        ...(runsUntil === undefined ? {} : { runsUntil }),
      }),
      about: { subject, accountId },
      rejected: () => notice(ctx, `${topic}:${subject}`, { kind: "letter rejected", sentence }),
    };
  },
});

type Content = { productName: string; key: string; licenceUrl: string; runsUntil?: Date | null };

export const writeLicenceGranted = ({ productName, key, licenceUrl, ...until }: Content): Email => ({
  kind: "licence-granted",
  subject: `A ${productName} license was added to your account`,
  preheader: `We added a ${productName} license to your account.`,
  blocks: [
    heading("A license for you"),
    paragraph(
      `We added a ${productName} license to your account.${runsUntilSentence({ step: "added", stepUrl: licenceUrl, ...until })} You need to do nothing. Its key:`,
    ),
    codes(key),
    button("See your license", licenceUrl),
  ],
  why: "You get this email because the license with this key belongs to your account.",
});
