import { and, eq, isNotNull } from "drizzle-orm";
import { brand } from "@/brand/brand";
import { notice } from "../../notice";
import { nothing } from "@/core/database/topic";
import { codes, heading, paragraph, quiet } from "../../mail/blocks";
import type { Email } from "../../mail/email";
import { emailTemplate } from "../../mail/template";
import { accounts } from "../../schema/accounts";
import { licences } from "../../schema/licences";
import { keyOf } from "../keys/issue";
import { keyStep, type NextStep, stepButton, stepSentence, stepUrl } from "../changes/key-step";
import { mayMailKeyTo } from "../keys/mailable-key";

/** Mails a licence's key again, to its owner at delivery; the subject is the licence's id. */
export const licenceKeyEmail = emailTemplate({
  name: "mail.licence-key",
  payload: nothing,
  async prepare(ctx, { topic, subject, createdAt, generation }, { publicUrl }) {
    const [found] = await ctx.store.db
      .select({ licence: licences, to: accounts.email })
      .from(licences)
      .innerJoin(accounts, eq(accounts.id, licences.accountId))
      .where(and(eq(licences.id, subject), isNotNull(accounts.emailConfirmedAt)));
    if (!found?.to || !(await mayMailKeyTo(ctx, found.licence, found.to))) return null;
    const { licence, to } = found;
    const { id, accountId } = licence;
    const step = await keyStep(ctx, [licence], { to, buyer: accountId });
    const sentence = "The mail server rejected a licence key that was being mailed again.";
    return {
      to,
      id: `key.${id}.${createdAt.getTime()}.${generation}`,
      email: writeLicenceKey({
        productName: brand.premium.name,
        key: keyOf(ctx, licence),
        step,
        stepUrl: stepUrl(step, publicUrl),
      }),
      about: { subject: id, accountId },
      rejected: () => notice(ctx, `${topic}:${id}`, { kind: "letter rejected", sentence }),
    };
  },
});

type Content = NextStep & { productName: string; key: string };

export const writeLicenceKey = ({ productName, key, ...next }: Content): Email => ({
  kind: "licence-key",
  subject: `Your ${productName} license key`,
  preheader: `You asked for your ${productName} license key again.`,
  blocks: [
    heading("Your license key"),
    paragraph(`You asked for your ${productName} license key again. Here it is:`),
    codes(key),
    paragraph(stepSentence(next, "If you have not used it yet, register an account with it.")),
    ...stepButton(next),
    quiet("If you did not ask for it, you don't need to do anything: the key was sent to this address only."),
  ],
  why: "You get this email because the license with this key belongs to your account.",
});
