import { and, eq, isNotNull } from "drizzle-orm";
import type { Ctx } from "@/core/database/context";
import { noPayload } from "@/core/database/topic";
import { notice } from "../../notice";
import { levelNameOf } from "../../levels/list";
import { button, codes, heading, paragraph, quiet } from "../../mail/blocks";
import type { Email } from "../../mail/email";
import { emailTemplate } from "../../mail/template";
import { accounts } from "../../schema/accounts";
import { licences } from "../../schema/licences";
import { keyOf } from "../keys/issue";
import {
  accountRunsUntil,
  nextKeyStep,
  type NextStep,
  runsUntilSentence,
  stepButton,
  stepSentence,
  stepUrl,
} from "../changes/key-step";
import { mayMailKeyTo } from "../keys/mailable-key";

/** Mails a licence's key again, to its owner at delivery; the subject is the licence's id. */
export const licenceKeyEmail = emailTemplate({
  name: "mail.licence-key",
  payload: noPayload,
  async prepare(ctx, { topic, subject, createdAt, generation }, { publicUrl }) {
    const found = await mailable(ctx, subject);
    if (!found) return null;
    const { licence, to, accountId } = found;
    const { id } = licence;
    const step = await nextKeyStep(ctx, [licence], { to, buyer: accountId });
    const sentence = "The mail server rejected a license key that was being mailed again.";
    return {
      to,
      id: `key.${id}.${createdAt.getTime()}.${generation}`,
      email: writeLicenceKey({
        productName: await levelNameOf(ctx, licence.level),
        key: keyOf(ctx, licence),
        step,
        stepUrl: stepUrl(step, publicUrl),
      }),
      about: { subject: id, accountId },
      rejected: () => notice(ctx, `${topic}:${id}`, { kind: "letter rejected", sentence }),
    };
  },
});

/** A licence whose key may be mailed to its owner, at the address that they confirmed. */
async function mailable(ctx: Ctx, licenceId: string) {
  const [found] = await ctx.store.db
    .select({ licence: licences, to: accounts.email, accountId: accounts.id })
    .from(licences)
    .innerJoin(accounts, eq(accounts.id, licences.accountId))
    .where(and(eq(licences.id, licenceId), isNotNull(accounts.emailConfirmedAt)));
  const to = found?.to;
  return found && to && (await mayMailKeyTo(ctx, found.licence, to)) ? { ...found, to } : null;
}

type Content = NextStep & { productName: string; key: string };

export const writeLicenceKey = ({ productName, key, ...next }: Content): Email => ({
  kind: "licence-key",
  subject: `Your ${productName} license key`,
  preheader: `You asked for your ${productName} license key again.`,
  blocks: [
    heading("Your license key"),
    paragraph(`You asked for your ${productName} license key again. Here it is:`),
    codes(key),
    paragraph(stepSentence(next, "If you haven't used it yet, register an account with it.")),
    ...stepButton(next),
    quiet("If you didn't ask for it, you don't need to do anything. The key was sent to this address only."),
  ],
  why: "You're receiving this because the license with this key belongs to your account.",
});

/** Tells an account's owner that staff added a licence to it; the subject is the licence's id. */
export const licenceGrantedEmail = emailTemplate({
  name: "mail.licence-granted",
  payload: noPayload,
  async prepare(ctx, { topic, subject }, { publicUrl }) {
    const found = await mailable(ctx, subject);
    if (!found) return null;
    const { licence, to, accountId } = found;
    const runsUntil = await accountRunsUntil(ctx, accountId, licence.level);
    const sentence = "The mail server rejected the email about a license that staff added to an account.";
    return {
      to,
      id: `licence-granted.${subject}`,
      email: writeLicenceGranted({
        productName: await levelNameOf(ctx, licence.level),
        key: keyOf(ctx, licence),
        licenceUrl: stepUrl("added", publicUrl),
        ...(runsUntil === undefined ? {} : { runsUntil }),
      }),
      about: { subject, accountId },
      rejected: () => notice(ctx, `${topic}:${subject}`, { kind: "letter rejected", sentence }),
    };
  },
});

type GrantedKey = { productName: string; key: string; licenceUrl: string; runsUntil?: Date | null };

export const writeLicenceGranted = ({ productName, key, licenceUrl, ...until }: GrantedKey): Email => ({
  kind: "licence-granted",
  subject: `A ${productName} license was added to your account`,
  preheader: `We added a ${productName} license to your account.`,
  blocks: [
    heading("A license for you"),
    paragraph(
      `We added a ${productName} license to your account.${runsUntilSentence({ step: "added", stepUrl: licenceUrl, ...until })} You don't need to do anything. This is its key:`,
    ),
    codes(key),
    button("See your license", licenceUrl),
  ],
  why: "You're receiving this because the license with this key belongs to your account.",
});
