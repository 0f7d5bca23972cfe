import { and, eq, isNotNull } from "drizzle-orm";
import { brand } from "@/brand/brand";
import { noPayload } from "@/core/database/topic";
import { notice } from "../../notice";
import { button, heading, paragraph } from "../../mail/blocks";
import type { Email } from "../../mail/email";
import { emailTemplate } from "../../mail/template";
import { accounts } from "../../schema/accounts";
import { levels } from "../../schema/levels";
import { licences } from "../../schema/licences";
import { stepUrl } from "../changes/key-step";

/** Tells a licence's owner that staff gave it another level; the subject is the licence's id. */
export const licenceLevelChangedEmail = emailTemplate({
  name: "mail.licence-level-changed",
  payload: noPayload,
  async prepare(ctx, { topic, subject, createdAt, generation }, { publicUrl }) {
    const [found] = await ctx.store.db
      .select({ level: levels.name, to: accounts.email, accountId: accounts.id })
      .from(licences)
      .innerJoin(levels, eq(levels.id, licences.level))
      .innerJoin(accounts, eq(accounts.id, licences.accountId))
      .where(and(eq(licences.id, subject), isNotNull(accounts.emailConfirmedAt)));
    if (!found?.to) return null;
    const { to, level, accountId } = found;
    const sentence = "The mail server rejected the email about the new level of a license.";
    return {
      to,
      id: `licence-level.${subject}.${createdAt.getTime()}.${generation}`,
      email: writeLevelChanged({ level, licenceUrl: stepUrl("added", publicUrl) }),
      about: { subject, accountId },
      rejected: () => notice(ctx, `${topic}:${subject}`, { kind: "letter rejected", sentence }),
    };
  },
});

export const writeLevelChanged = ({ level, licenceUrl }: { level: string; licenceUrl: string }): Email => ({
  kind: "licence-level-changed",
  subject: `Your ${brand.product} license is now ${level}`,
  preheader: `We changed the level of your ${brand.product} license.`,
  blocks: [
    heading(`Your license is now ${level}`),
    paragraph(
      `We changed the level of your ${brand.product} license to ${level}. Its key, its end and its computers stay the same. You don't need to do anything.`,
    ),
    button("See your license", licenceUrl),
  ],
  why: "You're receiving this because the license belongs to your account.",
});
