import { and, eq, isNull, sql } from "drizzle-orm";
import type { Ctx } from "@/core/database/context";
import { notice } from "../../notice";
import { noPayload } from "@/core/database/topic";
import {
  nextKeyStep,
  type NextStep,
  stepButton,
  stepSentence,
  stepUrl,
} from "../../licences/changes/key-step";
import { keyOf } from "../../licences/keys/issue";
import { mayMailKeyTo } from "../../licences/keys/mailable-key";
import { levelNameOf } from "../../levels/list";
import { codes, heading, paragraph } from "../../mail/blocks";
import type { Email } from "../../mail/email";
import { emailTemplate } from "../../mail/template";
import { accounts } from "../../schema/accounts";
import { licences } from "../../schema/licences";
import { payments } from "../../schema/payments";
import { expectReadable } from "../about-payment";

/** Mails the buyer the new key of a licence that nobody has redeemed; the subject is the licence's id. */
export const licenceKeyReplacedEmail = emailTemplate({
  name: "mail.licence-key-replaced",
  payload: noPayload,
  async prepare(ctx, { topic, subject, createdAt }, { publicUrl }) {
    const found = await unredeemedLicence(ctx, subject);
    if (found) expectReadable(found.payment);
    if (!found?.to || !(await mayMailKeyTo(ctx, found.licence, found.to))) return null;
    const { to, licence, payment } = found;
    const buyer = payment.giftEmail === null ? payment.accountId : null;
    const step = await nextKeyStep(ctx, [licence], { to, buyer });
    const sentence = `The mail server rejected the replacement key of license ${subject}: its buyer doesn't have it.`;
    return {
      to,
      id: `key-replaced.${subject}.${createdAt.getTime()}`,
      email: writeLicenceKeyReplaced({
        productName: await levelNameOf(ctx, licence.level),
        key: keyOf(ctx, licence),
        step,
        stepUrl: stepUrl(step, publicUrl),
      }),
      about: { subject, accountId: buyer },
      rejected: () => notice(ctx, `${topic}:${subject}`, { kind: "letter rejected", sentence }),
    };
  },
});

async function unredeemedLicence(ctx: Ctx, licenceId: string) {
  const [found] = await ctx.store.db
    .select({
      licence: licences,
      to: sql<string | null>`coalesce(${payments.giftEmail}, ${payments.email}, ${accounts.email})`,
      payment: payments,
    })
    .from(licences)
    .innerJoin(payments, eq(payments.id, licences.paymentId))
    .leftJoin(accounts, eq(accounts.id, payments.accountId))
    .where(and(eq(licences.id, licenceId), isNull(licences.redeemedAt)));
  return found;
}

type Content = NextStep & { productName: string; key: string };

export const writeLicenceKeyReplaced = ({ productName, key, ...next }: Content): Email => ({
  kind: "licence-key-replaced",
  subject: `Your new ${productName} license key`,
  preheader: "Your earlier key no longer works.",
  blocks: [
    heading("Your new license key"),
    paragraph(
      `As a precaution, we replaced every ${productName} license key that wasn't in use yet. The key in our earlier email no longer works. This is your new one:`,
    ),
    codes(key),
    paragraph(
      `Nothing else about your purchase has changed. ${stepSentence(next, "Register an account with the new key whenever you like.")}`,
    ),
    ...stepButton(next),
  ],
  why: `You're receiving this because your ${productName} license key was sent to this address.`,
});
