import { and, eq } from "drizzle-orm";
import { brand } from "@/brand/brand";
import { audit, type ByHand } from "@/core/audit";
import { commit } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { notice } from "@/core/notice";
import { type Handlers, post } from "@/core/outbox";
import { Refusal } from "@/core/refusal";
import { accounts } from "../schema/accounts";
import { entitles } from "./entitlement";
import { keyOf } from "./issue";
import { licences } from "../schema/licences";
import { type Mailer, MailRejected } from "../mail/letter";

const topic = "mail.licence-key";

/** Mails an account's active keys to its own address again. Refuses with `license_required` if it has none. */
export async function resendKeys(ctx: Ctx, accountId: string, by: ByHand): Promise<number> {
  const active = await ctx.store.db
    .select({ id: licences.id })
    .from(licences)
    .where(and(eq(licences.accountId, accountId), entitles(ctx, ctx.now())));
  if (active.length === 0) throw new Refusal("license_required");
  await commit(ctx.store, [
    ...active.map(({ id }) => post(ctx, { topic, subject: id })),
    audit(ctx, { ...by, action: "licence.key_resent", subject: accountId, accountId }),
  ]);
  ctx.wake();
  return active.length;
}

/** The outbox handler; it writes to whoever owns the licence at delivery. */
export const keyLetters = (ctx: Ctx, mailer: Mailer, publicUrl: URL): Handlers => ({
  [topic]: async (job) => {
    const [found] = await ctx.store.db
      .select({ licence: licences, to: accounts.email })
      .from(licences)
      .innerJoin(accounts, eq(accounts.id, licences.accountId))
      .where(eq(licences.id, job.subject));
    if (!found) return [];
    const { licence, to } = found;
    try {
      await mailer.send({
        to,
        messageId: `<key.${licence.id}.${job.createdAt.getTime()}.${job.generation}@${publicUrl.hostname}>`,
        letter: {
          kind: "licence-key",
          productName: brand.premium.name,
          key: keyOf(ctx, licence),
          registerUrl: new URL("/register", publicUrl).href,
        },
      });
      return [];
    } catch (error) {
      if (!(error instanceof MailRejected)) throw error;
      const sentence = "A key that was to be mailed again was refused by the mail server.";
      return [notice(ctx, `${topic}:${licence.id}`, { kind: "letter rejected", sentence })];
    }
  },
});
