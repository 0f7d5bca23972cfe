import { eq } from "drizzle-orm";
import { money } from "@/contract/money";
import type { Ctx } from "@/core/context";
import type { NoticeKind } from "@/core/notice";
import type { Handlers, Job } from "@/core/outbox";
import { noticeKinds } from "@/core/outbox-topics";
import { billOf } from "../bills/bill";
import { keyOf } from "../licences/issue";
import { maskKey } from "../licences/keys";
import { licencesOfPayment } from "../licences/sold";
import { payments } from "../schema/payments";

/** Asks until when a dispute of a payment must be answered; null if none is open. */
export type Disputes = { answerBy(intentId: string): Promise<Date | null> };

/** Without Discord, notices go to the log. */
export const loggedNotices = (ctx: Ctx, disputes: Disputes): Handlers => ({
  "staff.notice": async (job) => {
    ctx.log.info("staff notice", {
      topic: job.topic,
      job: job.subject,
      reason: (await noticeOf(ctx, disputes, job)).what,
    });
    return [];
  },
});

export type Notice = {
  kind: NoticeKind;
  /** A few words, if they say more than the kind. */
  what: string;
  line: string;
  /** What the buyer paid, in minor units. */
  price?: { currency: string; amount: number };
};

/** A notice as one line, from the current state. */
export async function noticeOf(
  ctx: Ctx,
  disputes: Disputes,
  { subject, payload }: Pick<Job<"staff.notice">, "subject" | "payload">,
): Promise<Notice> {
  const { kind, what = kind, sentence } = payload;
  if (sentence !== undefined) return { kind, what, line: sentence };
  const [payment] = await ctx.store.db
    .select()
    .from(payments)
    .where(eq(payments.id, subject.split(":")[0] ?? ""));
  if (!payment) return { kind, what, line: `${capital(what)}.` };
  const bill = billOf(payment);
  const parts = [
    money(bill.paid, bill.currency),
    payment.intentId ?? payment.sessionId,
    ...(await keysIn(ctx, payment, kind)),
    ...(what.startsWith("dispute") ? await dueDate(disputes, payment.intentId) : []),
  ];
  const line = `${capital(what.replaceAll("_", " "))}: ${parts.join(", ")}`;
  return { kind, what, line, price: { currency: bill.currency, amount: bill.paid } };
}

/** The masked keys: all of them where staff have to choose which fall, otherwise the first. */
async function keysIn(ctx: Ctx, { id }: { id: string }, kind: NoticeKind): Promise<string[]> {
  const keys = (await licencesOfPayment(ctx, id)).map((licence) => maskKey(keyOf(ctx, licence)));
  if (kind === "partial refund" || keys.length < 2) return keys;
  return [`${keys.length} keys`];
}

/** More sales than this are summed up in one line. */
const mostSales = 3;

/** The lines of a message, most urgent first, each with the notices it covers. */
export function linesOf<N extends Notice>(notices: N[]): { line: string; about: N[] }[] {
  const sales = notices.filter(({ kind }) => kind === "sale");
  const together = sales.length > mostSales ? sales : [];
  const urgency = ({ kind }: N) => noticeKinds.indexOf(kind);
  const single = notices
    .filter((one) => !together.includes(one))
    .toSorted((one, other) => urgency(one) - urgency(other))
    .map((one) => ({ line: one.line, about: [one] }));
  return together.length === 0 ? single : [...single, { line: sumOf(together), about: together }];
}

function sumOf(sales: Notice[]): string {
  const prices = sales.flatMap(({ price }) => price ?? []);
  const sums = Object.entries(Object.groupBy(prices, ({ currency }) => currency)).map(
    ([currency, all = []]) =>
      money(
        all.reduce((sum, { amount }) => sum + amount, 0),
        currency,
      ),
  );
  return `${sales.length} sales: ${sums.join(", ")}`;
}

/** If Stripe is away, the notice is sent without the date rather than late. */
async function dueDate(disputes: Disputes, intentId: string | null): Promise<string[]> {
  const due = intentId === null ? null : await disputes.answerBy(intentId).catch(() => null);
  return due ? [`to be answered by ${due.toISOString().slice(0, 16).replace("T", " ")} UTC`] : [];
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
