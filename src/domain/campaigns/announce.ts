import { createHash } from "node:crypto";
import { and, asc, count, desc, eq, getTableColumns, isNull, sql } from "drizzle-orm";
import type { Actor, By } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import { commit, commitIfFirst, mustHaveChanged } from "@/core/database/commit";
import { type Ctx, newId } from "@/core/database/context";
import { enqueue } from "@/core/jobs/outbox";
import { olderThan, type Place, theFuture } from "@/core/database/pages";
import { Refusal } from "@/core/base/refusal";
import { expectNoCopy } from "@/core/database/restored-copy";
import { outbox } from "@/core/database/schema";
import { startsWith } from "@/core/database/starts-with";
import { announcements } from "../schema/announcements";
import { offers } from "../schema/offers";
import { authorize, expectConfirmed } from "../permissions";
import type { Account } from "../accounts/sessions/account";
import type { Email } from "../mail/email";
import {
  announcementEmail,
  announcementSubject,
  announcementTestEmail,
  writeAnnouncement,
} from "./emails/announcement";
import { countCustomers, type CustomerCount, nextPage } from "./recipients";

export type Announcement = typeof announcements.$inferSelect;
export type NewAnnouncement = Pick<Announcement, "subject" | "content" | "licensedOnly" | "offer">;

/**
 * While this many of an announcement's emails wait, the job enqueues no more, so that the outbox stays small with any
 * number of customers. Many more deferred emails may wait for days as well.
 */
const mostWaiting = 1_000;
const mostDeferred = 100_000;
/** Concurrent announcements; the others wait until one of them ends. */
const mostAtOnce = 100;

/**
 * Announces an email to every present customer. The same email again continues the same announcement. Refuses with
 * `announcement_differs` if that one is for other customers, with `announcement_stopped`, with `offer_unknown`, with
 * `mail_off`, and with `copy` on a restored copy.
 */
export async function announce(
  ctx: Ctx,
  { subject, content, licensedOnly, offer, mail = "on" }: NewAnnouncement & { mail?: "on" | "off" },
  by: By,
): Promise<Announcement> {
  authorize(by, "announcement.make");
  expectConfirmed(ctx, by, "announcement.make");
  // the shop would send its emails after a take-over
  await expectNoCopy(ctx);
  expectMail(mail);
  const { db } = ctx.store;
  const id = createHash("sha256").update(`${subject}\n${content}`).digest("hex").slice(0, 16);
  if (offer !== null) await expectOffer(ctx, offer);
  const { customers } = await countCustomers(ctx, { licensedOnly, offer });
  await commitIfFirst(ctx.store, [
    db
      .insert(announcements)
      .values({ id, subject, content, licensedOnly, offer, customers, createdAt: ctx.now() })
      .onConflictDoNothing(),
    mustHaveChanged("conflict"),
    record(ctx, { ...by, action: "announcement.made", subject: id, detail: { licensedOnly, offer } }),
  ]);
  const announcement = await announcementOf(ctx, id);
  if (announcement.licensedOnly !== licensedOnly || announcement.offer !== offer)
    throw new Refusal("announcement_differs");
  if (announcement.stoppedAt) throw new Refusal("announcement_stopped");
  return announcement;
}

/** Refuses with `mail_off` where the shop sends no mail. */
function expectMail(mail: "on" | "off"): void {
  if (mail === "off") throw new Refusal("mail_off");
}

/** Refuses with `offer_unknown` unless the shop has or had the offer. */
async function expectOffer({ store: { db } }: Ctx, id: string): Promise<void> {
  const found = await db.$count(offers, eq(offers.id, id));
  if (found === 0) throw new Refusal("offer_unknown", { field: "offer" });
}

/** Refuses with `announcement_unknown`. */
export async function announcementOf(ctx: Ctx, id: string): Promise<Announcement> {
  const [found] = await ctx.store.db.select().from(announcements).where(eq(announcements.id, id));
  if (!found) throw new Refusal("announcement_unknown");
  return found;
}

type Page = { after: Place | null; most: number };

const { content: _, ...listed } = getTableColumns(announcements);
export type ListedAnnouncement = Omit<Announcement, "content">;

/** A page of the announcements without their texts, newest first. */
export async function announcementsShown(
  ctx: Ctx,
  { after, most }: Page,
  actor: Actor,
): Promise<ListedAnnouncement[]> {
  authorize(actor, "announcement.read");
  return ctx.store.db
    .select(listed)
    .from(announcements)
    .where(olderThan(after ?? theFuture, announcements.createdAt, announcements.id))
    .orderBy(desc(announcements.createdAt), desc(announcements.id))
    .limit(most);
}

/** {@link announcementOf} for staff. */
export async function announcementShown(ctx: Ctx, id: string, actor: Actor): Promise<Announcement> {
  authorize(actor, "announcement.read");
  return announcementOf(ctx, id);
}

/** Every announcement, newest first. */
export const allAnnouncements = (ctx: Ctx): Promise<Announcement[]> =>
  ctx.store.db.select().from(announcements).orderBy(desc(announcements.createdAt));

/**
 * Sends no further emails; nobody can recall those already sent. Refuses with `announcement_stopped` or
 * `announcement_unknown`.
 */
export async function stopAnnouncement(ctx: Ctx, id: string, by: By): Promise<void> {
  authorize(by, "announcement.stop");
  await announcementOf(ctx, id);
  expectConfirmed(ctx, by, "announcement.stop");
  await commit(ctx.store, [
    ctx.store.db
      .update(announcements)
      .set({ stoppedAt: ctx.now() })
      .where(and(eq(announcements.id, id), isNull(announcements.stoppedAt))),
    mustHaveChanged("announcement_stopped"),
    record(ctx, { ...by, action: "announcement.stopped", subject: id }),
  ]);
}

/**
 * Stops every announcement that still has emails to send. For a restored database, which doesn't know who got them
 * after the backup. Resolves to the stopped announcements.
 */
export async function stopUnfinished(ctx: Ctx, by: By): Promise<Announcement[]> {
  const unfinished = (await allAnnouncements(ctx)).filter((one) => !isOver(one));
  for (const { id } of unfinished) await stopAnnouncement(ctx, id, by);
  return unfinished;
}

/** Whether the announcement sends no more emails. */
export const isOver = ({
  stoppedAt,
  allQueuedAt,
  emailsQueued,
  sent,
  dropped,
}: ListedAnnouncement): boolean =>
  stoppedAt !== null || (allQueuedAt !== null && sent + dropped >= emailsQueued);

/** The periodic job: enqueues the next emails of each announcement, as fast as they are sent. */
export async function postAnnouncements(ctx: Ctx, stopping?: AbortSignal): Promise<void> {
  for (let queued = true; queued && !stopping?.aborted;) {
    queued = false;
    for (const announcement of await openAnnouncements(ctx)) {
      if (stopping?.aborted || !(await hasRoom(ctx, announcement))) continue;
      await queueBatch(ctx, announcement);
      queued = true;
    }
  }
}

const openAnnouncements = ({ store: { db } }: Ctx): Promise<Announcement[]> =>
  db
    .select()
    .from(announcements)
    .where(and(isNull(announcements.allQueuedAt), isNull(announcements.stoppedAt)))
    .orderBy(asc(announcements.createdAt))
    .limit(mostAtOnce);

async function hasRoom(ctx: Ctx, { id, deferred }: Announcement): Promise<boolean> {
  if (deferred >= mostDeferred) return false;
  const some = ctx.store.db
    .select({ key: outbox.key })
    .from(outbox)
    .where(startsWith(outbox.key, `bulk.announcement:${id}:`))
    .limit(mostWaiting)
    .as("some");
  const [waiting] = await ctx.store.db.select({ emails: count() }).from(some);
  return (waiting?.emails ?? 0) < mostWaiting;
}

/**
 * Enqueues emails to the next customers and advances the cursor in one commit, so two processes never enqueue the same
 * page.
 */
async function queueBatch(ctx: Ctx, announcement: Announcement): Promise<void> {
  const { db } = ctx.store;
  const { id, cursor } = announcement;
  const { next, customers, recipients } = await nextPage(ctx, announcement);
  await commitIfFirst(ctx.store, [
    db
      .update(announcements)
      .set({
        ...(next === null ? { allQueuedAt: ctx.now() } : { cursor: next }),
        // there may have been more than could be counted when it was made
        customers: sql`max(${announcements.customers}, ${announcements.customersChecked} + ${customers})`,
        customersChecked: sql`${announcements.customersChecked} + ${customers}`,
        emailsQueued: sql`${announcements.emailsQueued} + ${recipients.length}`,
      })
      .where(
        and(eq(announcements.id, id), eq(announcements.cursor, cursor), isNull(announcements.allQueuedAt)),
      ),
    mustHaveChanged("conflict"),
    ...recipients.map((recipient) =>
      enqueue(ctx, { topic: announcementEmail, subject: announcementSubject(id, recipient) }),
    ),
  ]);
}

type AnnouncementText = Pick<NewAnnouncement, "subject" | "content">;

/**
 * An announcement as a customer would get it, and for how many customers it is. Sends nothing. Refuses with
 * `offer_unknown`.
 */
export async function previewAnnouncement(
  ctx: Ctx,
  { subject, content, ...audience }: NewAnnouncement,
  actor: Actor,
): Promise<{ email: Email; counted: CustomerCount }> {
  authorize(actor, "announcement.make");
  if (audience.offer !== null) await expectOffer(ctx, audience.offer);
  const email = writeAnnouncement({ subject, content, isBuyer: false, unsubscribeUrl: "#" });
  return { email, counted: await countCustomers(ctx, audience) };
}

type TestRecipient = { account: Pick<Account, "id" | "email">; mail: "on" | "off"; by: By };

/**
 * Mails an announcement to the member of staff who asks, and to nobody else. Resolves to their address; refuses with
 * `copy` on a restored copy, with `mail_off`, and with `email_unconfirmed` if they have no address.
 */
export async function testAnnouncement(
  ctx: Ctx,
  { subject, content }: AnnouncementText,
  { account: { id, email }, mail, by }: TestRecipient,
): Promise<string> {
  authorize(by, "announcement.make");
  await expectNoCopy(ctx);
  expectMail(mail);
  if (email === null) throw new Refusal("email_unconfirmed");
  await commit(ctx.store, [
    enqueue(ctx, {
      topic: announcementTestEmail,
      subject: `${id}:${newId()}`,
      payload: { subject, content },
    }),
  ]);
  return email;
}
