import { isoDay, utcTime } from "@/contract/vocabulary/dates";
import { eq, inArray } from "drizzle-orm";
import { money } from "@/contract/vocabulary/money";
import type { Ctx } from "@/core/database/context";
import type { NoticeKind } from "../notice";
import type { LogFields } from "@/core/log/log";
import type { Handler, Job } from "@/core/jobs/job-handlers";
import { type botTopics, noticeKinds, type ownerNotice } from "../outbox-topics";
import { billInWords, billOf, sumPaid } from "../bills/bill";
import { keyOf } from "../licences/keys/issue";
import { maskKey } from "../licences/keys/keys";
import { licencesOfPayment } from "../licences/entitlement/sold";
import { type Payment, payments } from "../schema/payments";

/** Without Discord, notices go to the log. */
export const logNotice =
  (ctx: Ctx): Handler<typeof botTopics.notifyStaff | typeof botTopics.notifyStaffOfSale> =>
  async (job) => {
    const found = await noticeOf(ctx, job);
    ctx.log.info("staff notice", { topic: job.topic, job: job.subject, ...fieldsOf(found) });
    return [];
  };

export type NoticeTopic =
  typeof botTopics.notifyStaff | typeof botTopics.notifyStaffOfSale | typeof ownerNotice;

export type Notice = {
  kind: NoticeKind;
  /** A few words, if they say more than the kind. */
  what: string;
  /** The whole text; null for notices about a payment. */
  sentence: string | null;
  payment: Payment | null;
  /**
   * The payment's masked keys: all of them if staff have to choose which to end, otherwise the only key or their
   * number.
   */
  keys: string[];
};

/** A notice from the current state. */
export async function noticeOf(
  ctx: Ctx,
  { subject, payload }: Pick<Job<NoticeTopic>, "subject" | "payload">,
): Promise<Notice> {
  const { kind, what = kind, sentence = null } = payload ?? { kind: "sale" };
  const [payment = null] = sentence === null ? await paymentWith(ctx, paymentIn(subject)) : [];
  const keys = payment ? await keysIn(ctx, payment, kind) : [];
  return { kind, what, sentence, payment, keys };
}

const paymentWith = ({ store: { db } }: Ctx, id: string) =>
  db.select().from(payments).where(eq(payments.id, id));

/** The masked keys: all of them if staff have to choose which to end, otherwise the first. */
async function keysIn(ctx: Ctx, { id }: { id: string }, kind: NoticeKind): Promise<string[]> {
  const keys = (await licencesOfPayment(ctx, id)).map((licence) => maskKey(keyOf(ctx, licence)));
  if (kind === "partial refund" || keys.length < 2) return keys;
  return [`${keys.length} keys`];
}

/** What happened, in a few words. */
export const titleOf = ({ what }: Pick<Notice, "what">) => capital(what.replaceAll("_", " "));

/** The deadline of a dispute; null for other notices, or if Stripe awaits no evidence. */
export const answerByOf = ({ what, payment }: Notice): Date | null =>
  what.startsWith("dispute") ? (payment?.disputeAnswerBy ?? null) : null;

/** A notice as one line. */
function lineOf(notice: Notice): string {
  const { what, sentence, payment, keys } = notice;
  if (sentence !== null) return sentence;
  if (!payment) return `${capital(what)}.`;
  const answerBy = answerByOf(notice);
  const due = answerBy ? [`to be answered by ${utcTime(answerBy)}`] : [];
  const parts = [billInWords(billOf(payment)), payment.intentId ?? payment.sessionId, ...keys, ...due];
  return `${titleOf(notice)}: ${parts.join(", ")}`;
}

/** A notice as fields of a log line. */
function fieldsOf(notice: Notice): LogFields {
  const { kind, what, sentence, payment, keys } = notice;
  if (sentence !== null) return { kind, reason: what, sentence };
  if (!payment) return { kind, reason: what };
  const { asked, paid, currency } = billOf(payment);
  const answerBy = answerByOf(notice);
  return {
    kind,
    reason: what,
    payment: payment.intentId ?? payment.sessionId,
    amount: paid || asked,
    currency,
    ...(keys.length > 0 && { key: keys.join(", ") }),
    ...(answerBy && { due: isoDay(answerBy) }),
    ...(what.startsWith("dispute") && payment.disputeReason && { cause: payment.disputeReason }),
  };
}

/** One line sums up more sales than this. */
const mostSales = 3;
const mostInOneQuery = 250;
type NoticeJob = Job<NoticeTopic>;
export type NoticeLine<J = NoticeJob> = { line: string; about: J[] };

/** The lines for staff about these jobs, most urgent first; sales come last, and more than a few share a line. */
export async function linesOf(ctx: Ctx, jobs: NoticeJob[]): Promise<NoticeLine[]> {
  const sales = jobs.filter(isSale);
  const single = sales.length > mostSales ? jobs.filter((job) => !isSale(job)) : jobs;
  const lines: NoticeLine[] = [];
  for (const job of single.toSorted(byUrgency)) {
    lines.push({ line: lineOf(await noticeOf(ctx, job)), about: [job] });
  }
  return sales.length > mostSales ? [...lines, { line: await sumOf(ctx, sales), about: sales }] : lines;
}

/** Most urgent first. */
export const byUrgency = (one: NoticeJob, other: NoticeJob) => urgency(one) - urgency(other);
const urgency = ({ payload }: NoticeJob) => noticeKinds.indexOf(payload?.kind ?? "sale");

/** The release before enqueued sales among the other notices. */
const isSale = ({ payload }: NoticeJob) => payload === null || payload.kind === "sale";

async function sumOf({ store: { db } }: Ctx, sales: NoticeJob[]): Promise<string> {
  const ids = sales.map(({ subject }) => paymentIn(subject));
  const paid = new Map<string, number>();
  for (let from = 0; from < ids.length; from += mostInOneQuery) {
    const sums = await db
      .select({ currency: payments.currency, paid: sumPaid })
      .from(payments)
      .where(inArray(payments.id, ids.slice(from, from + mostInOneQuery)))
      .groupBy(payments.currency);
    for (const sum of sums) paid.set(sum.currency, (paid.get(sum.currency) ?? 0) + sum.paid);
  }
  return `${sales.length} sales: ${[...paid].map(([currency, amount]) => money(amount, currency)).join(", ")}`;
}

const paymentIn = (subject: string) => subject.split(":")[0] ?? "";

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
