import { eq, sql } from "drizzle-orm";
import type { Write } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { notice } from "@/core/notice";
import type { Handlers } from "@/core/outbox";
import { type Mailer, wasAccepted } from "../mail/letter";
import { announcements } from "../schema/announcements";
import { readLetterSubject } from "./announce";
import { endingToTell } from "./licence-endings";
import { addressOf } from "./recipients";
import { unsubscribeUrl } from "./unsubscribe";

/** The outbox handlers of letters that are not about an order; whoever unsubscribed meanwhile gets none. */
export const mailingLetters = (ctx: Ctx, mailer: Mailer, publicUrl: URL): Handlers => ({
  "bulk.announcement": async ({ subject }) => {
    const { id, recipient } = readLetterSubject(subject);
    const [announcement] = await ctx.store.db.select().from(announcements).where(eq(announcements.id, id));
    const to = await addressOf(ctx, recipient);
    if (!announcement || announcement.stoppedAt || !to) return [countLetter(ctx, id, "dropped")];
    const accepted = await wasAccepted(mailer, {
      to: to.email,
      messageId: `<announcement.${id}.${recipient}@${publicUrl.hostname}>`,
      letter: {
        kind: "announcement",
        subject: announcement.subject,
        content: announcement.content,
        isBuyer: to.isBuyer,
        unsubscribeUrl: unsubscribeUrl(ctx, recipient, publicUrl),
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
        productName: ending.productName,
        endsAt: ending.endsAt,
        daysLeft,
        licenceUrl: new URL("/dashboard/license", publicUrl).href,
        unsubscribeUrl: unsubscribeUrl(ctx, account.id, publicUrl),
      },
    });
    if (accepted) return [];
    const sentence = "The mail server rejected a letter about the end of a licence.";
    return [notice(ctx, `mail.licence-ending:${licence.id}`, { kind: "letter rejected", sentence })];
  },
});

const countLetter = (ctx: Ctx, id: string, outcome: "sent" | "dropped"): Write =>
  ctx.store.db
    .update(announcements)
    .set({ [outcome]: sql`${announcements[outcome]} + 1` })
    .where(eq(announcements.id, id));
