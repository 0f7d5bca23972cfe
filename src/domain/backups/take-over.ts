import { and, asc, count, eq, exists, inArray, lte, ne, or, type SQL, sql } from "drizzle-orm";
import { day } from "@/contract/vocabulary/time";
import type { By } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import { commit } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { noActionKinds } from "../notice";
import { type Topic } from "@/core/database/topic";
import { botTopics, ownerNotice, shopTopics } from "../outbox-topics";
import { noLongerCopy, restoredCopy } from "@/core/database/restored-copy";
import { outbox } from "@/core/database/schema";
import { allTopics } from "../topics";
import { licenceEndingEmail } from "../campaigns/emails/licence-ending";
import { remindOfEndings } from "../campaigns/licence-endings";
import { giftEmail } from "../payments/emails/gift";
import { paymentDisputedEmail } from "../payments/emails/payment";
import { paymentRefundedEmail } from "../payments/emails/payment-refunded";
import { receiptEmail } from "../payments/emails/receipt";
import { licences } from "../schema/licences";
import { payments } from "../schema/payments";
import { authorize } from "../permissions";

/** Jobs whose repeat a person would read twice. All other jobs may run again. */
const topicsOfMessages = allTopics.filter(
  (topic) =>
    /^(mail|bulk|staff|owner|news)\./.test(topic) ||
    [botTopics.postQueuedMessage, shopTopics.findInvoice].some(({ name }) => name === topic),
);

/** An email left out; `attempts`: how often the old shop had tried when the backup was made. */
type LeftOut = { topic: string; subject: string; attempts: number };

/** Emails that go out; `kind`: a notice's, null for all others. */
export type WaitingJobs = { topic: string; kind: string | null; waiting: number };

export type TakenOver = { leftOut: LeftOut[]; waiting: WaitingJobs[] };

/**
 * Makes a restored copy the shop. Leaves out emails about what happened until `stoppedAt`, when the old shop last ran:
 * the old shop has sent them. Keeps notices that need a person, because the old shop may still have been collecting
 * them for the owner's next email. Null if nothing waits that may be left out. Safe to repeat after an interruption.
 * `needs when`: emails wait that may be left out, and it is still a copy.
 */
export async function takeOverCopy(
  ctx: Ctx,
  { stoppedAt, by }: { stoppedAt: Date | null; by: By },
): Promise<TakenOver | "no copy" | "needs when"> {
  authorize(by, "shop.take_over");
  const copy = await restoredCopy(ctx);
  if (!copy) return "no copy";
  await remindOfEndings(ctx);
  if (!stoppedAt && (await mayLeaveOut(ctx))) return "needs when";
  const { db } = ctx.store;
  const sentBefore = stoppedAt ? sentUntil(ctx, stoppedAt) : sql`false`;
  const leftOut = await db
    .select({ topic: outbox.topic, subject: outbox.subject, attempts: outbox.attempts })
    .from(outbox)
    .where(sentBefore);
  await commit(ctx.store, [
    db.delete(outbox).where(sentBefore),
    noLongerCopy(ctx),
    record(ctx, {
      ...by,
      action: "shop.taken_over",
      subject: copy.made,
      detail: { stoppedAt: stoppedAt?.toISOString() ?? null, lettersLeftOut: leftOut.length },
    }),
  ]);
  return { leftOut, waiting: await emailsWaiting(ctx) };
}

async function mayLeaveOut({ store: { db } }: Ctx): Promise<boolean> {
  const some = await db.select({ key: outbox.key }).from(outbox).where(dispensable()).limit(1);
  return some.length > 0;
}

const kind = sql<string | null>`json_extract(${outbox.payload}, '$.kind')`;

/**
 * The jobs that may be left out. Notices that need a person stay: a repeated deadline of a dispute is better than none.
 */
const dispensable = (): SQL | undefined =>
  and(
    inArray(outbox.topic, topicsOfMessages),
    ne(outbox.topic, ownerNotice.name),
    or(ne(outbox.topic, botTopics.notifyStaff.name), inArray(kind, [...noActionKinds])),
  );

async function emailsWaiting({ store: { db } }: Ctx): Promise<WaitingJobs[]> {
  return db
    .select({ topic: outbox.topic, kind: kind.as("kind"), waiting: count() })
    .from(outbox)
    .where(inArray(outbox.topic, topicsOfMessages))
    .groupBy(outbox.topic, kind)
    .orderBy(asc(outbox.topic), asc(kind));
}

/**
 * Emails about what happened until then. What a restore learns from Stripe is older than its email; where nothing shows
 * its age, the email's own age counts, because one email too many is better than none.
 */
function sentUntil({ store: { db } }: Ctx, until: Date): SQL | undefined {
  const about = (id: SQL, held: SQL | undefined) =>
    exists(
      db
        .select({ id: payments.id })
        .from(payments)
        .where(and(sql`${payments.id} = ${id}`, held)),
    );
  const subject = sql`${outbox.subject}`;
  const daysBefore = sql`${licences.lastReminderDays} * ${day}`;
  const ending = db
    .select({ id: licences.id })
    .from(licences)
    .where(
      and(eq(licences.id, outbox.subject), lte(sql`${licences.expiresAt} - ${daysBefore}`, until.getTime())),
    );
  return and(
    dispensable(),
    or(
      lte(outbox.createdAt, until),
      and(isOf(receiptEmail, giftEmail, shopTopics.findInvoice), about(subject, lte(payments.paidAt, until))),
      and(
        isOf(botTopics.notifyStaffOfSale),
        about(sql`substr(${subject}, 1, length(${subject}) - 5)`, lte(payments.paidAt, until)),
      ),
      and(isOf(paymentDisputedEmail), about(subject, lte(payments.disputedAt, until))),
      and(isOf(paymentRefundedEmail), about(subject, lte(payments.refundedAt, until))),
      and(isOf(licenceEndingEmail), exists(ending)),
    ),
  );
}

const isOf = (...topics: Topic[]) =>
  inArray(
    outbox.topic,
    topics.map(({ name }) => name),
  );
