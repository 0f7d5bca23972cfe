import { eq, inArray } from "drizzle-orm";
import pLimit from "p-limit";
import { money } from "@/contract/money";
import type { Ctx } from "@/core/context";
import type { NoticeKind } from "@/core/notice";
import type { Handlers, Job } from "@/core/outbox";
import { noticeKinds } from "@/core/outbox-topics";
import { utcMinute } from "@/core/utc-minute";
import { billInWords, billOf, sumPaid } from "../bills/bill";
import { keyOf } from "../licences/issue";
import { maskKey } from "../licences/keys";
import { licencesOfPayment } from "../licences/sold";
import { payments } from "../schema/payments";

/** Asks until when a dispute of a payment must be answered; null if none is open. */
export type Disputes = { answerBy(intentId: string): Promise<Date | null> };

/** Without Discord, notices go to the log. */
export function loggedNotices(ctx: Ctx, disputes: Disputes): Handlers {
  const log = async (job: Job<NoticeTopic>) => {
    const { what } = await noticeOf(ctx, withPatience(disputes), job);
    ctx.log.info("staff notice", { topic: job.topic, job: job.subject, reason: what });
    return [];
  };
  return { "staff.notice": log, "staff.sale": log };
}

export type NoticeTopic = "staff.notice" | "staff.sale";

export type Notice = {
  kind: NoticeKind;
  /** A few words, if they say more than the kind. */
  what: string;
  line: string;
};

/** A notice as one line, from the current state. */
async function noticeOf(
  ctx: Ctx,
  disputes: Disputes,
  { subject, payload }: Pick<Job<NoticeTopic>, "subject" | "payload">,
): Promise<Notice> {
  const { kind, what = kind, sentence } = payload ?? { kind: "sale" };
  if (sentence !== undefined) return { kind, what, line: sentence };
  const [payment] = await ctx.store.db
    .select()
    .from(payments)
    .where(eq(payments.id, paymentIn(subject)));
  if (!payment) return { kind, what, line: `${capital(what)}.` };
  const parts = [
    billInWords(billOf(payment)),
    payment.intentId ?? payment.sessionId,
    ...(await keysIn(ctx, payment, kind)),
    ...(what.startsWith("dispute") ? await dueDate(disputes, payment.intentId) : []),
  ];
  const line = `${capital(what.replaceAll("_", " "))}: ${parts.join(", ")}`;
  return { kind, what, line };
}

/** The masked keys: all of them where staff have to choose which fall, otherwise the first. */
async function keysIn(ctx: Ctx, { id }: { id: string }, kind: NoticeKind): Promise<string[]> {
  const keys = (await licencesOfPayment(ctx, id)).map((licence) => maskKey(keyOf(ctx, licence)));
  if (kind === "partial refund" || keys.length < 2) return keys;
  return [`${keys.length} keys`];
}

/** More sales than this are summed up in one line. */
const mostSales = 3;
const mostInOneQuery = 250;
/** Questions to Stripe at the same time, about the dates of disputes, and how long all of them may take together. */
const mostQuestions = 4;
const patienceMilliseconds = 5_000;

type NoticeJob = Job<NoticeTopic>;
export type Line<J = NoticeJob> = { line: string; about: J[] };

/** What staff are told of these jobs, most urgent first; sales come last, and more than a few share a line. */
export async function linesOf(ctx: Ctx, disputes: Disputes, jobs: NoticeJob[]): Promise<Line[]> {
  const sales = jobs.filter(isSale);
  const single = sales.length > mostSales ? jobs.filter((job) => !isSale(job)) : jobs;
  const limit = pLimit(mostQuestions);
  const asked = withPatience(disputes);
  const notices = await limit.map(single, async (job) => ({ job, ...(await noticeOf(ctx, asked, job)) }));
  const lines = notices
    .toSorted((one, other) => urgency(one) - urgency(other))
    .map(({ line, job }) => ({ line, about: [job] }));
  return sales.length > mostSales ? [...lines, { line: await sumOf(ctx, sales), about: sales }] : lines;
}

/** Asks nothing more once the time for all questions is over, so that a slow Stripe delays no notice for long. */
function withPatience(disputes: Disputes): Disputes {
  const over = AbortSignal.timeout(patienceMilliseconds);
  const end = new Promise<null>((resolve) => over.addEventListener("abort", () => resolve(null)));
  return {
    answerBy: async (intentId) =>
      over.aborted ? null : await Promise.race([disputes.answerBy(intentId), end]),
  };
}

const urgency = ({ kind }: Notice) => noticeKinds.indexOf(kind);

/** The release before posted sales among the other notices. */
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

/** If Stripe is away, the notice is sent without the date rather than late. */
async function dueDate(disputes: Disputes, intentId: string | null): Promise<string[]> {
  const due = intentId === null ? null : await disputes.answerBy(intentId).catch(() => null);
  return due ? [`to be answered by ${utcMinute(due)}`] : [];
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
