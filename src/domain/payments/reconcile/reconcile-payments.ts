import { and, asc, eq, gt, inArray, ne, or, type SQL } from "drizzle-orm";
import { day, minute } from "@/contract/vocabulary/time";
import type { Ctx } from "@/core/database/context";
import { failpoint } from "@/core/log/failpoints";
import { isPending, stripeRefunds } from "../../schema/money-back";
import { isUndecided, payments } from "../../schema/payments";
import { type CheckoutGateway, CheckoutRefused, type ChangePage } from "../port/stripe";
import { hasSubscriptions } from "../subscriptions/due-checks";
import { followEvents } from "./follow-events";
import { readableDeferred } from "./deferred-orders";
import { settleSubjects, unseen } from "./settle-subjects";
import {
  forgetProgress,
  interruptedProgress,
  newProgress,
  noReport,
  noteProgress,
  type Progress,
  sinceLastReconcile,
  type ReconcileReport,
} from "./progress";

export const reconcileEveryMilliseconds = 10 * minute;
/** Reads the lists this often even if the events are complete. */
const listsEveryMilliseconds = day;

const pageSize = 100;
/** Pages of lists per run; the next run continues there. */
const mostPages = 3_000;

export type ReconcileOptions = {
  /** `now` reads the lists even if they are not due. */
  lists?: "now" | "when due";
  /** Called after each page with the number of payments asked about. */
  onProgress?: (asked: number) => void;
};

/**
 * Finds what no webhook reported: settles what an earlier release deferred, follows Stripe's events and, once a day or
 * where there is no event to follow, goes through Stripe's lists and our own payments without a final outcome. Saves its
 * progress after each page, and continues there after a crash or `CheckoutUnreachable`. Safe to repeat.
 */
export async function reconcilePayments(
  ctx: Ctx,
  gateway: CheckoutGateway,
  { lists = "when due", onProgress }: ReconcileOptions = {},
): Promise<ReconcileReport> {
  const report = (await interruptedProgress(ctx))?.report ?? noReport(ctx.now());
  const seen = new Set<string>();
  await settleSubjects(ctx, gateway, await readableDeferred(ctx), { report, seen });
  const events = await followEvents(ctx, gateway, { report, seen });
  onProgress?.(report.asked);
  // also one that following the events began
  const interrupted = await interruptedProgress(ctx);
  const isDue =
    lists === "now" || events !== "followed" || (await sinceLastReconcile(ctx)) >= listsEveryMilliseconds;
  const progress = interrupted ?? (isDue ? await newProgress(ctx, { events: events !== "followed" }) : null);
  const done = progress
    ? await readLists(ctx, gateway, {
        progress: { ...progress, report: { ...report, since: progress.since } },
        seen,
        onProgress,
      })
    : { ...report, finished: true };
  ctx.log.info("swept", { count: done.changed, attempts: done.asked });
  return done;
}

type ListsRun = { progress: Progress; seen: Set<string>; onProgress: ReconcileOptions["onProgress"] };

async function readLists(
  ctx: Ctx,
  gateway: CheckoutGateway,
  { progress: beginning, seen, onProgress }: ListsRun,
): Promise<ReconcileReport> {
  let progress = beginning;
  try {
    for (let pages = 0; progress.stage !== null && pages < mostPages; pages += 1) {
      const page = await pageOf(ctx, gateway, progress);
      const tally = { report: progress.report, seen };
      await settleSubjects(ctx, gateway, unseen(page.subjects, tally), tally);
      failpoint("sweep.page-settled");
      progress = advance(progress, page.next);
      await noteProgress(ctx, progress);
      onProgress?.(progress.report.asked);
      failpoint("sweep.page-noted");
    }
  } catch (error) {
    // Stripe no longer knows our place in the list: start over next time
    if (error instanceof CheckoutRefused) await forgetProgress(ctx);
    throw error;
  }
  return { ...progress.report, finished: progress.stage === null };
}

/** After a page: the next page of the list, or the next list. */
function advance(progress: Progress, next: string | null): Progress {
  const { stage, stages, report } = progress;
  const counted = { ...progress, report: { ...report, pages: report.pages + 1 } };
  if (next !== null) return { ...counted, from: next };
  const following = stage === null ? null : stages[stages.indexOf(stage) + 1];
  return { ...counted, stage: following ?? null, from: null };
}

async function pageOf(ctx: Ctx, gateway: CheckoutGateway, progress: Progress): Promise<ChangePage> {
  const { stage, since, from } = progress;
  if (stage === null || stage === "undecided")
    return ownPayments(ctx, and(isUndecided, mayChange(ctx)), from);
  if (stage === "refunding") return pendingRefunds(ctx, from);
  const back = new Date(since);
  try {
    const subscriptions = await hasSubscriptions(ctx);
    const reads = stage === "sessions" ? dayBefore(back) : back;
    return await gateway.listChanges(stage, { since: reads, from, subscriptions });
  } catch (error) {
    // without a cursor Stripe refuses the list itself, and will every time
    if (!(error instanceof CheckoutRefused) || from !== null) throw error;
    ctx.log.warn("a list of Stripe's may not be read", { reason: stage });
    return { subjects: [], next: null };
  }
}

/** A subscription's first payment that failed may be paid on its invoice's page. */
const mayChange = (ctx: Ctx): SQL | undefined =>
  or(ne(payments.state, "failed"), gt(payments.createdAt, oldestToRead(ctx)));

/** What isn't final is asked about daily for 35 days, and then once a week for half a year. */
function oldestToRead(ctx: Ctx): Date {
  const today = Math.floor(ctx.now().getTime() / day);
  return new Date((today - (today % 7 === 0 ? 180 : 35)) * day);
}

/** A buyer can pay a checkout for a day, and Stripe lists sessions by when they were opened. */
const dayBefore = (time: Date) => new Date(time.getTime() - day);

/** Payments of which a refund is pending. */
const pendingRefunds = (ctx: Ctx, from: string | null) => {
  const { paymentId, at } = stripeRefunds;
  const recent = gt(at, oldestToRead(ctx));
  const pending = ctx.store.db.select({ paymentId }).from(stripeRefunds).where(and(isPending, recent));
  return ownPayments(ctx, inArray(payments.id, pending), from);
};

/** A page of our own payments, in the Stripe mode of the key. */
async function ownPayments(ctx: Ctx, which: SQL | undefined, from: string | null): Promise<ChangePage> {
  const rows = await ctx.store.db
    .select({ id: payments.id, sessionId: payments.sessionId })
    .from(payments)
    .where(and(which, gt(payments.id, from ?? ""), eq(payments.livemode, ctx.livemode)))
    .orderBy(asc(payments.id))
    .limit(pageSize);
  const last = rows.length === pageSize ? rows.at(-1) : undefined;
  return { subjects: rows.map(({ sessionId }) => ({ sessionId })), next: last?.id ?? null };
}
