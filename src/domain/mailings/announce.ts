import { createHash } from "node:crypto";
import { and, asc, count, desc, eq, exists, gt, isNull, lte, sql } from "drizzle-orm";
import { brand } from "@/brand/brand";
import { audit, type ByHand } from "@/core/audit";
import { commit, mustHaveChanged } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { post } from "@/core/outbox";
import { isConflict, Refusal } from "@/core/refusal";
import { outbox } from "@/core/schema";
import { isEntitled } from "../licences/entitlement";
import { accounts } from "../schema/accounts";
import { announcements } from "../schema/announcements";
import { licences } from "../schema/licences";
import { offers } from "../schema/offers";
import { payments } from "../schema/payments";

export type Announcement = typeof announcements.$inferSelect;
export type NewAnnouncement = Pick<Announcement, "subject" | "content" | "licensedOnly" | "offer">;

/** Posted in one commit; a local write stops every request while it runs. */
const batchSize = 200;
/** With so many letters waiting no more are posted, so that the outbox stays small however many customers there are. */
const mostWaiting = 1_000;

/**
 * Announces a letter to every customer of today. The same letter again is the same announcement, and goes on where
 * it is. Refuses with `announcement_differs` if it went, or goes, to others, with `announcement_stopped`, and with
 * `offer_unknown`.
 */
export async function announce(
  ctx: Ctx,
  { subject, content, licensedOnly, offer }: NewAnnouncement,
  by: ByHand,
): Promise<{ announcement: Announcement; isNew: boolean }> {
  const { db } = ctx.store;
  const id = createHash("sha256").update(`${subject}\n${content}`).digest("hex").slice(0, 16);
  if (offer !== null) await expectOffer(ctx, offer);
  const customers = await db.$count(accounts);
  let isNew = true;
  try {
    await commit(ctx.store, [
      db
        .insert(announcements)
        .values({ id, subject, content, licensedOnly, offer, customers, createdAt: ctx.now() })
        .onConflictDoNothing(),
      mustHaveChanged("conflict"),
      audit(ctx, { ...by, action: "announcement.made", subject: id, detail: { licensedOnly, offer } }),
    ]);
  } catch (error) {
    if (!isConflict(error)) throw error;
    isNew = false;
  }
  const announcement = await announcementOf(ctx, id);
  if (announcement.licensedOnly !== licensedOnly || announcement.offer !== offer)
    throw new Refusal("announcement_differs");
  if (announcement.stoppedAt) throw new Refusal("announcement_stopped");
  return { announcement, isNew };
}

/** Refuses with `offer_unknown` unless it is, or was, one of the shop's. */
async function expectOffer({ store: { db } }: Ctx, id: string): Promise<void> {
  const found = await db.$count(offers, eq(offers.id, id));
  if (found === 0 && id !== brand.offer.id) throw new Refusal("offer_unknown", { field: "offer" });
}

/** Refuses with `announcement_unknown`. */
export async function announcementOf(ctx: Ctx, id: string): Promise<Announcement> {
  const [found] = await ctx.store.db.select().from(announcements).where(eq(announcements.id, id));
  if (!found) throw new Refusal("announcement_unknown");
  return found;
}

/** All of them, newest first. */
export const allAnnouncements = (ctx: Ctx): Promise<Announcement[]> =>
  ctx.store.db.select().from(announcements).orderBy(desc(announcements.createdAt));

/** No further letter leaves; what left can't be called back. Refuses with `announcement_stopped` or `announcement_unknown`. */
export async function stopAnnouncement(ctx: Ctx, id: string, by: ByHand): Promise<void> {
  await announcementOf(ctx, id);
  await commit(ctx.store, [
    ctx.store.db
      .update(announcements)
      .set({ stoppedAt: ctx.now() })
      .where(and(eq(announcements.id, id), isNull(announcements.stoppedAt))),
    mustHaveChanged("announcement_stopped"),
    audit(ctx, { ...by, action: "announcement.stopped", subject: id }),
  ]);
}

/** The periodic job: posts the next letters of the oldest announcement, as fast as they leave. */
export async function postAnnouncements(ctx: Ctx, stopping?: AbortSignal): Promise<void> {
  while (!stopping?.aborted) {
    const [next] = await ctx.store.db
      .select()
      .from(announcements)
      .where(and(isNull(announcements.postedAt), isNull(announcements.stoppedAt)))
      .orderBy(asc(announcements.createdAt))
      .limit(1);
    if (!next || (await waitingLetters(ctx)) >= mostWaiting) return;
    await postBatch(ctx, next);
  }
}

async function waitingLetters(ctx: Ctx): Promise<number> {
  const some = ctx.store.db
    .select({ key: outbox.key })
    .from(outbox)
    .where(eq(outbox.topic, "bulk.announcement"))
    .limit(mostWaiting)
    .as("some");
  const [waiting] = await ctx.store.db.select({ letters: count() }).from(some);
  return waiting?.letters ?? 0;
}

/**
 * One letter to each of the next customers, together with the mark how far that is: whoever loses a race for the mark
 * posts nothing.
 */
async function postBatch(ctx: Ctx, announcement: Announcement): Promise<void> {
  const { db } = ctx.store;
  const { id, reached, createdAt, licensedOnly, offer } = announcement;
  const page = await db
    .select({ id: accounts.id })
    .from(accounts)
    .where(gt(accounts.id, reached))
    .orderBy(asc(accounts.id))
    .limit(batchSize);
  const last = page.at(-1)?.id;
  const letters =
    last === undefined
      ? []
      : await db
          .select({ accountId: accounts.id })
          .from(accounts)
          .where(
            and(
              gt(accounts.id, reached),
              lte(accounts.id, last),
              lte(accounts.createdAt, createdAt),
              isNull(accounts.unsubscribedAt),
              licensedOnly ? isEntitled(ctx, accounts.id, ctx.now()) : undefined,
              offer === null ? undefined : holdsOffer(ctx, offer),
            ),
          );
  try {
    await commit(ctx.store, [
      db
        .update(announcements)
        .set({
          reached: last ?? reached,
          looked: sql`${announcements.looked} + ${page.length}`,
          posted: sql`${announcements.posted} + ${letters.length}`,
          ...(page.length < batchSize ? { postedAt: ctx.now() } : {}),
        })
        .where(
          and(eq(announcements.id, id), eq(announcements.reached, reached), isNull(announcements.postedAt)),
        ),
      mustHaveChanged("conflict"),
      ...letters.map(({ accountId }) =>
        post(ctx, { topic: "bulk.announcement", subject: letterSubject(id, accountId) }),
      ),
    ]);
    ctx.wake();
  } catch (error) {
    if (!isConflict(error)) throw error;
  }
}

/** Whether an account redeemed a licence that was sold by an offer. */
const holdsOffer = (ctx: Ctx, offer: string) =>
  exists(
    ctx.store.db
      .select({ one: sql`1` })
      .from(licences)
      .innerJoin(payments, eq(payments.id, licences.paymentId))
      .where(
        and(
          eq(licences.accountId, accounts.id),
          // orders of the first edition name none
          eq(sql`coalesce(${payments.offer}, ${brand.offer.id})`, offer),
        ),
      ),
  );

/** The subject of an outbox job: one letter of one announcement to one customer. */
const letterSubject = (id: string, accountId: string) => `${id}:${accountId}`;

export function readLetterSubject(subject: string): { id: string; accountId: string } {
  const [id = "", accountId = ""] = subject.split(":");
  return { id, accountId };
}
