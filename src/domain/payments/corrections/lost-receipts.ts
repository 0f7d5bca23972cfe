import { and, desc, eq, exists, isNotNull, isNull, notExists, sql } from "drizzle-orm";
import type { LostReceipt } from "@/contract/wire/desk/attention";
import type { MailFate } from "@/contract/wire/desk/details";
import type { LimitTable } from "@/contract/vocabulary/limits";
import type { By } from "@/core/base/actor";
import { Refusal } from "@/core/base/refusal";
import type { Ctx } from "@/core/database/context";
import { pageRows } from "@/core/database/pages";
import { expectNoCopy } from "@/core/database/restored-copy";
import { auditLog, outbox } from "@/core/database/schema";
import type { Topic } from "@/core/database/topic";
import { withoutIndex } from "@/core/database/without-index";
import type { StoredJob } from "@/core/jobs/job-handlers";
import { jobOf } from "@/core/jobs/outbox";
import { shopTopics } from "../../outbox-topics";
import { authorize } from "../../permissions";
import { licences } from "../../schema/licences";
import { isRenewal, type Payment, payments, type RefusedMail } from "../../schema/payments";
import { subscriptions } from "../../schema/subscriptions";
import { subscriptionOf } from "../reading/subscriptions";
import { orderEmails, resendReceipt } from "./corrections";

type Letter = keyof RefusedMail;

/** What became of the emails that bring what was bought. */
export async function mailFates(ctx: Ctx, payment: Payment): Promise<MailFate[]> {
  if (payment.soldAt === null) return [];
  const sentAgain = await lastSentAgain(ctx, payment.id);
  const fates: MailFate[] = [];
  for (const [letter, to] of await recipients(ctx, payment)) {
    const refusal = payment.refusedMail?.[letter];
    const acceptedAt = letter === "gift" ? payment.giftSentAt : payment.receiptSentAt;
    const job = await waitingJob(ctx, payment, letter);
    fates.push({
      letter,
      to,
      accepted_at: acceptedAt?.toISOString() ?? null,
      refused_at: refusal && !job ? new Date(refusal.at).toISOString() : null,
      words: job ? answerIn(job) : (refusal?.words ?? null),
      waiting_since: job?.createdAt.toISOString() ?? null,
      next_try_at: job && job.attempts > 0 ? job.dueAt.toISOString() : null,
      sent_again_at: sentAgain?.toISOString() ?? null,
    });
  }
  return fates;
}

/** A renewal's receipt goes to the address that Stripe bills. */
async function recipients(ctx: Ctx, payment: Payment): Promise<[Letter, string][]> {
  const { email, giftEmail } = payment;
  const billed = isRenewal(payment) ? (await subscriptionOf(ctx, payment))?.billingEmail : null;
  return [
    ...(email ? [["receipt", billed ?? email] as [Letter, string]] : []),
    ...(giftEmail ? [["gift", giftEmail] as [Letter, string]] : []),
  ];
}

async function waitingJob(ctx: Ctx, payment: Payment, letter: Letter): Promise<StoredJob | null> {
  const { first, again } = orderEmails[letter === "receipt" && isRenewal(payment) ? "renewal" : letter];
  const before = letter === "receipt" ? [shopTopics.findInvoice] : [];
  for (const topic of [first, again, ...before]) {
    const job = await jobOf(ctx, topic, payment.id);
    if (job) return job;
  }
  return null;
}

/** What the mail server answered to the last attempt; null if it answered nothing. */
const answerIn = ({ attempts, lastError }: StoredJob): string | null =>
  attempts > 0 && lastError !== null && /^\d{3} /.test(lastError) ? lastError : null;

async function lastSentAgain({ store: { db } }: Ctx, paymentId: string): Promise<Date | null> {
  const [entry] = await db
    .select({ at: auditLog.at })
    .from(auditLog)
    .where(and(eq(auditLog.subject, paymentId), eq(auditLog.action, "payment.receipt_resent")))
    .orderBy(desc(auditLog.at), desc(auditLog.id))
    .limit(1);
  return entry?.at ?? null;
}

const keysOfJobs = Object.values(orderEmails)
  .flatMap(({ first, again }): Topic[] => [first, again])
  // a receipt may be waiting for its invoice
  .concat(shopTopics.findInvoice)
  .map(({ name }) => sql`${`${name}:`} || ${payments.id}`);

/** The payment that its keys were sold with: of a renewal, its subscription's first. */
const soldWith = sql<string>`coalesce((SELECT ${subscriptions.id} FROM ${subscriptions} WHERE ${subscriptions.stripeId} = ${payments.subscription}), ${payments.id})`;

/** The newest orders with an email that never arrived, and that is not on its way again. */
export const lostReceipts = ({ store: { db } }: Ctx, most: number): Promise<Payment[]> =>
  db
    .select()
    .from(payments)
    .where(
      and(
        isNotNull(payments.refusedMail),
        withoutIndex(and(eq(payments.state, "succeeded"), isNotNull(payments.email))),
        // of a revoked key nothing is sent
        exists(
          db
            .select({ id: licences.id })
            .from(licences)
            .where(and(eq(licences.paymentId, soldWith), isNull(licences.revokedAt))),
        ),
        notExists(
          db
            .select({ key: outbox.key })
            .from(outbox)
            .where(sql`${outbox.key} IN (${sql.join(keysOfJobs, sql`, `)})`),
        ),
      ),
    )
    .orderBy(desc(payments.createdAt), desc(payments.id))
    .limit(most);

/** The emails of such orders that never arrived. */
export async function lostEmails(ctx: Ctx, lost: Payment[]): Promise<LostReceipt[]> {
  const rows: LostReceipt[] = [];
  for (const payment of lost) {
    for (const [letter, to] of await recipients(ctx, payment)) {
      const refusal = payment.refusedMail?.[letter];
      if (!refusal) continue;
      const { at, words } = refusal;
      rows.push({ payment: payment.id, letter, to, refused_at: new Date(at).toISOString(), words });
    }
  }
  return rows;
}

/**
 * Sends {@link lostReceipts} again, as many as fill a page; leaves out those that {@link resendReceipt} refuses. Refuses
 * with `copy` on a restored copy.
 */
export async function resendLostReceipts(
  ctx: Ctx,
  limits: Pick<LimitTable, "receipt-again">,
  by: By,
): Promise<{ sent: number; left: boolean }> {
  authorize(by, "payment.resend_receipt");
  await expectNoCopy(ctx);
  const lost = await lostReceipts(ctx, pageRows);
  let sent = 0;
  for (const payment of lost) {
    try {
      await resendReceipt(ctx, limits, payment, by);
      sent += 1;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  }
  return { sent, left: sent < lost.length || (await lostReceipts(ctx, 1)).length > 0 };
}
