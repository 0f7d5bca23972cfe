import { eq, sql } from "drizzle-orm";
import { day, hour, minute } from "@/contract/time";
import type { Write } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { notice } from "@/core/notice";
import { reasonOf } from "@/core/log";
import { type Handlers, post, RetryLater } from "@/core/outbox";
import { MailDeferred, type Mailer } from "../mail/letter";
import { sendLetter } from "../mail/send-letter";
import { announcements } from "../schema/announcements";
import { readLetterSubject } from "./announce";
import { endingToTell } from "./licence-endings";
import { addressOf } from "./recipients";
import { unsubscribeUrl } from "./unsubscribe";

/** A deferred letter is tried again after half the time it has waited, within these bounds, and given up in the end. */
const deferral = { shortest: 5 * minute, longest: 4 * hour, patience: 5 * day };

/** The outbox handlers of letters that are not about an order; whoever unsubscribed meanwhile gets none. */
export const mailingLetters = (ctx: Ctx, mailer: Mailer, publicUrl: URL): Handlers => ({
  "bulk.announcement": async ({ subject }) => {
    const { id } = readLetterSubject(subject);
    try {
      const { outcome, writes } = await sendAnnouncement(ctx, mailer, publicUrl, subject);
      return [countLetters(ctx, id, { [outcome]: 1 }), ...writes];
    } catch (error) {
      if (!(error instanceof MailDeferred)) throw error;
      const later = { topic: "bulk.deferred", subject, delayMilliseconds: deferral.shortest } as const;
      return [post(ctx, later), countLetters(ctx, id, { deferred: 1 })];
    }
  },
  "bulk.deferred": async ({ subject, createdAt }) => {
    const { id } = readLetterSubject(subject);
    const waited = ctx.now().getTime() - createdAt.getTime();
    try {
      const { outcome, writes } = await sendAnnouncement(ctx, mailer, publicUrl, subject);
      return [countLetters(ctx, id, { deferred: -1, [outcome]: 1 }), ...writes];
    } catch (error) {
      if (waited >= deferral.patience) return [countLetters(ctx, id, { deferred: -1, dropped: 1 })];
      const pause = Math.min(Math.max(waited / 2, deferral.shortest), deferral.longest);
      throw new RetryLater(reasonOf(error), pause);
    }
  },
  "mail.licence-ending": async ({ subject }) => {
    const ending = await endingToTell(ctx, subject);
    if (!ending) return [];
    const { licence, account, daysLeft } = ending;
    const envelope = {
      to: account.email,
      // another letter a week and a day before each end, which an extension moves
      messageId: `<licence-ending.${licence.id}.${licence.endingTold}.${ending.endsAt.getTime()}@${publicUrl.hostname}>`,
      letter: {
        kind: "licence-ending" as const,
        productName: ending.productName,
        endsAt: ending.endsAt,
        daysLeft,
        licenceUrl: new URL("/dashboard/license", publicUrl).href,
        unsubscribeUrl: unsubscribeUrl(ctx, account, publicUrl),
      },
    };
    const about = { subject: licence.id, accountId: account.id };
    const rejected = await sendLetter(ctx, mailer, envelope, about);
    if (!rejected) return [];
    const sentence = "The mail server rejected a letter about the end of a licence.";
    return [
      rejected,
      ...notice(ctx, `mail.licence-ending:${licence.id}`, { kind: "letter rejected", sentence }),
    ];
  },
});

/** `dropped` if it was stopped, is no longer wanted or was refused for good, which `writes` record. */
async function sendAnnouncement(
  ctx: Ctx,
  mailer: Mailer,
  publicUrl: URL,
  subject: string,
): Promise<{ outcome: "sent" | "dropped"; writes: Write[] }> {
  const { id, recipient } = readLetterSubject(subject);
  const [announcement] = await ctx.store.db.select().from(announcements).where(eq(announcements.id, id));
  const to = await addressOf(ctx, recipient);
  if (!announcement || announcement.stoppedAt || !to) return { outcome: "dropped", writes: [] };
  const envelope = {
    to: to.email,
    messageId: `<announcement.${id}.${recipient}@${publicUrl.hostname}>`,
    letter: {
      kind: "announcement" as const,
      subject: announcement.subject,
      content: announcement.content,
      isBuyer: to.isBuyer,
      unsubscribeUrl: unsubscribeUrl(ctx, { id: recipient, email: to.email }, publicUrl),
    },
  };
  const rejected = await sendLetter(ctx, mailer, envelope, {
    subject: recipient,
    accountId: to.isBuyer ? null : recipient,
  });
  return rejected ? { outcome: "dropped", writes: [rejected] } : { outcome: "sent", writes: [] };
}

type Change = Partial<Record<"sent" | "dropped" | "deferred", number>>;

const countLetters = (ctx: Ctx, id: string, change: Change): Write =>
  ctx.store.db
    .update(announcements)
    .set(
      Object.fromEntries(
        Object.entries(change).map(([name, by]) => [name, sql`${sql.identifier(name)} + ${by}`]),
      ),
    )
    .where(eq(announcements.id, id));
