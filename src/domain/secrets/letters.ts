import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import { brand } from "@/brand/brand";
import type { Ctx } from "@/core/context";
import { notice } from "@/core/notice";
import type { Handlers } from "@/core/outbox";
import { keyOf } from "../licences/issue";
import { type Mailer, MailRejected } from "../mail/letter";
import { accounts } from "../schema/accounts";
import { licences } from "../schema/licences";
import { payments } from "../schema/payments";

export const replacedTopic = "mail.licence-key-replaced";

/** How the outbox tells buyers that their key is another. Who has redeemed it meanwhile need not know. */
export const replacedKeyLetters = (ctx: Ctx, mailer: Mailer, publicUrl: URL): Handlers => ({
  [replacedTopic]: async ({ subject, createdAt }) => {
    const [found] = await ctx.store.db
      .select({ licence: licences, to: sql<string | null>`coalesce(${payments.email}, ${accounts.email})` })
      .from(licences)
      .innerJoin(payments, eq(payments.id, licences.paymentId))
      .leftJoin(accounts, eq(accounts.id, payments.accountId))
      .where(
        and(
          eq(licences.id, subject),
          isNull(licences.redeemedAt),
          inArray(licences.paymentStanding, ["good", "disputed"]),
        ),
      );
    if (!found?.to) return [];
    const { licence, to } = found;
    try {
      await mailer.send({
        to,
        messageId: `<key-replaced.${licence.id}.${createdAt.getTime()}@${publicUrl.hostname}>`,
        letter: {
          kind: "licence-key-replaced",
          productName: brand.premium.name,
          key: keyOf(ctx, licence),
          registerUrl: new URL("/register", publicUrl).href,
        },
      });
      return [];
    } catch (error) {
      if (!(error instanceof MailRejected)) throw error;
      const sentence = `The new key of the licence ${licence.id} was refused by the mail server: its buyer doesn't have it.`;
      return [notice(ctx, `${replacedTopic}:${licence.id}`, { kind: "letter rejected", sentence })];
    }
  },
});
