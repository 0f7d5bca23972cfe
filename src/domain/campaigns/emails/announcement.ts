import { eq, sql } from "drizzle-orm";
import { z } from "zod";
import { day, hour, minute } from "@/contract/vocabulary/time";
import type { Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { reasonOf } from "@/core/log/log";
import { type Job, RetryLater } from "@/core/jobs/job-handlers";
import { enqueue } from "@/core/jobs/outbox";
import { noPayload } from "@/core/database/topic";
import { heading, markdown } from "../../mail/blocks";
import { type Email, MailDeferred, MailRefused } from "../../mail/email";
import { oneLine } from "../../mail/format";
import { emailTemplate, type Shop } from "../../mail/template";
import { accounts } from "../../schema/accounts";
import { announcements } from "../../schema/announcements";
import { recipientAddress } from "../recipients";
import { unsubscribeUrl } from "../unsubscribe";
import { whyMailing } from "../why-mailing";

/** Retries a deferred email after half the time it has waited, within these bounds, and finally gives up. */
const deferral = { shortest: 5 * minute, longest: 4 * hour, giveUpAfter: 5 * day };

const topic = "bulk.announcement";

/** An announcement to one customer; customers who unsubscribed meanwhile get none. */
export const announcementEmail = emailTemplate({
  name: topic,
  lane: "bulk",
  // once more, after the server refused everybody
  payload: z.literal("dropped").nullable(),
  prepare: (ctx, { subject, payload }, shop) => prepare(ctx, subject, { shop, before: countedAs(payload) }),
  failed(ctx, { subject, payload }, error) {
    const isAboutIt = error instanceof MailRefused && !error.isBeforeRecipient;
    if (!(error instanceof MailDeferred) && !isAboutIt) throw error;
    const { id } = readSubject(subject);
    return [
      enqueue(ctx, { topic: deferredAnnouncementEmail, subject, delayMilliseconds: deferral.shortest }),
      countEmails(ctx, id, { ...countedAs(payload), deferred: 1 }),
    ];
  },
});

/** The announcement again, after the mail server asked to try that customer later. */
export const deferredAnnouncementEmail = emailTemplate({
  name: "bulk.deferred",
  lane: "deferred",
  payload: noPayload,
  prepare: (ctx, { subject }, shop) => prepare(ctx, subject, { shop, before: { deferred: -1 } }),
  failed(ctx, { subject, createdAt }, error) {
    const waited = ctx.now().getTime() - createdAt.getTime();
    const { id } = readSubject(subject);
    if (waited >= deferral.giveUpAfter) return [countEmails(ctx, id, { deferred: -1, dropped: 1 })];
    const pause = Math.min(Math.max(waited / 2, deferral.shortest), deferral.longest);
    throw new RetryLater(reasonOf(error), pause);
  },
});

/** A test of an announcement for the member of staff who wrote it; the subject is the ids of their account and the test. */
export const announcementTestEmail = emailTemplate({
  name: "mail.announcement-test",
  payload: z.object({ subject: z.string(), content: z.string() }),
  dropWhenOff: true,
  async prepare(ctx, { subject, payload }, shop) {
    const [accountId = "", test = ""] = subject.split(":");
    const [account] = await ctx.store.db.select().from(accounts).where(eq(accounts.id, accountId));
    if (!account?.email) return null;
    const { email } = account;
    return {
      to: email,
      id: `announcement-test.${test}`,
      email: writeAnnouncement({
        ...payload,
        isBuyer: false,
        unsubscribeUrl: unsubscribeUrl(ctx, { id: account.id, email }, shop.publicUrl),
      }),
      about: { subject: accountId, accountId },
    };
  },
});

const countedAs = (payload: "dropped" | null): Change => (payload === null ? {} : { dropped: -1 });

/** The subject of the job, unique for an announcement and a customer. */
export const announcementSubject = (id: string, recipient: string) => `${id}:${recipient}`;

function readSubject(subject: Job["subject"]): { id: string; recipient: string } {
  const [id = "", recipient = ""] = subject.split(":");
  return { id, recipient };
}

/**
 * Counts an email as dropped if the announcement was stopped, the customer unsubscribed or the server refuses it for
 * good.
 */
async function prepare(ctx: Ctx, subject: string, { shop, before = {} }: { shop: Shop; before?: Change }) {
  const { id, recipient } = readSubject(subject);
  const [found] = await ctx.store.db.select().from(announcements).where(eq(announcements.id, id));
  const to = await recipientAddress(ctx, recipient);
  const dropped = () => [countEmails(ctx, id, { ...before, dropped: (before.dropped ?? 0) + 1 })];
  if (!found || found.stoppedAt || !to) return { instead: dropped() };
  return {
    to: to.email,
    id: `announcement.${id}.${recipient}`,
    email: writeAnnouncement({
      subject: found.subject,
      content: found.content,
      isBuyer: to.isBuyer,
      unsubscribeUrl: unsubscribeUrl(ctx, { id: recipient, email: to.email }, shop.publicUrl),
    }),
    about: { subject: recipient, accountId: to.isBuyer ? null : recipient },
    delivered: () => [countEmails(ctx, id, { ...before, sent: 1 })],
    rejected: dropped,
    again: { topic, payload: "dropped" },
  };
}

type Change = Partial<Record<"sent" | "dropped" | "deferred", number>>;

const countEmails = (ctx: Ctx, id: string, change: Change): Write =>
  ctx.store.db
    .update(announcements)
    .set(
      Object.fromEntries(
        Object.entries(change).map(([name, by]) => [name, sql`${sql.identifier(name)} + ${by}`]),
      ),
    )
    .where(eq(announcements.id, id));

/** `content` is Markdown. */
type Content = { subject: string; content: string; isBuyer: boolean; unsubscribeUrl: string };

/** The operator's email to all customers. */
export const writeAnnouncement = ({ subject, content, isBuyer, unsubscribeUrl: url }: Content): Email => ({
  kind: "announcement",
  connections: "bulk",
  unsubscribeUrl: url,
  subject: oneLine(subject),
  preheader: oneLine(subject),
  blocks: [heading(subject), markdown(content)],
  why: whyMailing({ isBuyer }),
});
