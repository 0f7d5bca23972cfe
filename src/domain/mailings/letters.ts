import { eq, sql } from "drizzle-orm";
import { brand } from "@/brand/brand";
import type { Write } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { notice } from "@/core/notice";
import type { Handlers } from "@/core/outbox";
import { type Envelope, type Mailer, MailRejected } from "../mail/letter";
import { accounts } from "../schema/accounts";
import { announcements } from "../schema/announcements";
import { readLetterSubject } from "./announce";
import { endingToTell } from "./licence-endings";
import { unsubscribeUrl } from "./unsubscribe";

/** The outbox handlers of letters that are not about an order; who unsubscribed meanwhile gets none. */
export const mailingLetters = (ctx: Ctx, mailer: Mailer, publicUrl: URL): Handlers => ({
  "bulk.announcement": async ({ subject }) => {
    const { id, accountId } = readLetterSubject(subject);
    const [found] = await ctx.store.db
      .select({ announcement: announcements, account: accounts })
      .from(announcements)
      .innerJoin(accounts, eq(accounts.id, accountId))
      .where(eq(announcements.id, id));
    if (!found || found.announcement.stoppedAt || found.account.unsubscribedAt) {
      return [countLetter(ctx, id, "dropped")];
    }
    const accepted = await wasAccepted(mailer, {
      to: found.account.email,
      messageId: `<announcement.${id}.${accountId}@${publicUrl.hostname}>`,
      letter: {
        kind: "announcement",
        subject: found.announcement.subject,
        content: found.announcement.content,
        unsubscribeUrl: unsubscribeUrl(ctx, accountId, publicUrl),
      },
    });
    return [countLetter(ctx, id, accepted ? "sent" : "dropped")];
  },
  "mail.licence-ending": async ({ subject }) => {
    const ending = await endingToTell(ctx, subject);
    if (!ending) return [];
    const { licence, account, daysLeft } = ending;
    const accepted = await wasAccepted(mailer, {
      to: account.email,
      // another letter a week and a day before
      messageId: `<licence-ending.${licence.id}.${licence.endingTold}@${publicUrl.hostname}>`,
      letter: {
        kind: "licence-ending",
        productName: brand.premium.name,
        endsAt: ending.endsAt,
        daysLeft,
        licenceUrl: new URL("/dashboard/license", publicUrl).href,
        unsubscribeUrl: unsubscribeUrl(ctx, account.id, publicUrl),
      },
    });
    if (accepted) return [];
    const sentence = "A letter about the end of a licence was refused by the mail server.";
    return [notice(ctx, `mail.licence-ending:${licence.id}`, { kind: "letter rejected", sentence })];
  },
});

const countLetter = (ctx: Ctx, id: string, outcome: "sent" | "dropped"): Write =>
  ctx.store.db
    .update(announcements)
    .set({ [outcome]: sql`${announcements[outcome]} + 1` })
    .where(eq(announcements.id, id));

/** False where the mail server refuses the letter for good; any other failure is thrown, to be tried again. */
async function wasAccepted(mailer: Mailer, envelope: Envelope): Promise<boolean> {
  try {
    await mailer.send(envelope);
    return true;
  } catch (error) {
    if (error instanceof MailRejected) return false;
    throw error;
  }
}
