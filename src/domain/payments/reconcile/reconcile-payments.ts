import { and, asc, eq, gt, inArray, ne, or, type SQL } from "drizzle-orm";
import { day, minute } from "@/contract/time";
import type { Ctx } from "@/core/context";
import { failpoint } from "@/core/failpoints";
import { isPending, stripeRefunds } from "../../schema/money-back";
import { isUndecided, payments } from "../../schema/payments";
import {
  CheckoutForbidden,
  type CheckoutGateway,
  CheckoutRefused,
  type ChangePage,
} from "../checkout/checkout";
import { hasSubscriptions } from "../subscriptions/unended";
import { followEvents } from "./follow-events";
import { readableKept } from "./kept";
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
 * Finds what no webhook reported: settles what an earlier release kept, follows Stripe's events and, once a day or
 * where the key can't read events, goes through Stripe's lists and our own payments without a final outcome. Saves its
 * progress after each page, and continues there after a crash or `CheckoutUnreachable`. Skips a list that Stripe
 * refuses. Safe to repeat.
 */
export async function reconcilePayments(
  ctx: Ctx,
  gateway: CheckoutGateway,
  { lists = "when due", onProgress }: ReconcileOptions = {},
): Promise<ReconcileReport> {
  const report = (await interruptedProgress(ctx))?.report ?? noReport(ctx.now());
  const seen = new Set<string>();
  await settleSubjects(ctx, gateway, await readableKept(ctx), { report, seen });
  const events = await followEvents(ctx, gateway, { report, seen });
  onProgress?.(report.asked);
  // also one that following the events began
  const interrupted = await interruptedProgress(ctx);
  const isDue =
    lists === "now" || events !== "followed" || (await sinceLastReconcile(ctx)) >= listsEveryMilliseconds;
  const progress = interrupted ?? (isDue ? await newProgress(ctx, { events: events !== "followed" }) : null);
  const done = progress
    ? await lookThroughLists(ctx, gateway, {
        progress: { ...progress, report: { ...report, since: progress.since } },
        seen,
        onProgress,
      })
    : { ...report, finished: true };
  ctx.log.info("swept", { count: done.changed, attempts: done.asked });
  return done;
}

type ListsRun = { progress: Progress; seen: Set<string>; onProgress: ReconcileOptions["onProgress"] };

async function lookThroughLists(
  ctx: Ctx,
  gateway: CheckoutGateway,
  { progress: beginning, seen, onProgress }: ListsRun,
): Promise<ReconcileReport> {
  let progress = beginning;
  try {
    for (let pages = 0; progress.stage !== null && pages < mostPages; pages += 1) {
      const page = await pageOf(ctx, gateway, progress);
      if (!page) {
        progress = skipped(progress);
        await noteProgress(ctx, progress);
        continue;
      }
      const tally = { report: progress.report, seen };
      await settleSubjects(ctx, gateway, unseen(page.subjects, tally), tally);
      failpoint("sweep.page-settled");
      progress = advanced(progress, page.next);
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
function advanced(progress: Progress, next: string | null): Progress {
  const { stage, report, unread } = progress;
  const counted = { ...progress, report: { ...report, pages: report.pages + 1 } };
  if (next !== null) return { ...counted, from: next };
  const left = Object.fromEntries(Object.entries(unread).filter(([list]) => list !== stage));
  return { ...afterStage(counted), unread: left };
}

/** On to the next list; a later run catches up on the refused list from where it was last read. */
function skipped(progress: Progress): Progress {
  const { stage, since, unread, report } = progress;
  if (stage === null || stage === "undecided" || stage === "refunding") return progress;
  return {
    ...afterStage(progress),
    unread: { [stage]: since, ...unread },
    report: { ...report, skipped: [...report.skipped, stage] },
  };
}

function afterStage(progress: Progress): Progress {
  const { stage, stages } = progress;
  const following = stage === null ? null : stages[stages.indexOf(stage) + 1];
  return { ...progress, stage: following ?? null, from: null };
}

/** Null if Stripe refuses the list. */
async function pageOf(ctx: Ctx, gateway: CheckoutGateway, progress: Progress): Promise<ChangePage | null> {
  const { stage, since, unread, from } = progress;
  if (stage === null || stage === "undecided") return ours(ctx, and(isUndecided, mayChange(ctx)), from);
  if (stage === "refunding") return refunding(ctx, from);
  const back = new Date(unread[stage] ?? since);
  try {
    const subscriptions = await hasSubscriptions(ctx);
    const reads = stage === "sessions" ? dayBefore(back) : back;
    return await gateway.listChanges(stage, { since: reads, from, subscriptions });
  } catch (error) {
    // without a cursor Stripe refuses the list itself, and will every time
    const isRefused = error instanceof CheckoutRefused && from === null;
    if (!isRefused && !(error instanceof CheckoutForbidden)) throw error;
    ctx.log.warn("a list of Stripe's may not be read", { reason: stage });
    return null;
  }
}

/** A subscription's first payment that failed may be paid on its invoice's page. */
const mayChange = (ctx: Ctx): SQL | undefined =>
  or(ne(payments.state, "failed"), gt(payments.createdAt, looksBackTo(ctx)));

/** What isn't final is asked about daily for 35 days, and then once a week for half a year. */
function looksBackTo(ctx: Ctx): Date {
  const today = Math.floor(ctx.now().getTime() / day);
  return new Date((today - (today % 7 === 0 ? 180 : 35)) * day);
}

/** A buyer can pay a checkout for a day, and Stripe lists sessions by when they were opened. */
const dayBefore = (time: Date) => new Date(time.getTime() - day);

/** Payments of which a refund is pending. */
const refunding = (ctx: Ctx, from: string | null) => {
  const { paymentId, at } = stripeRefunds;
  const recent = gt(at, looksBackTo(ctx));
  const pending = ctx.store.db.select({ paymentId }).from(stripeRefunds).where(and(isPending, recent));
  return ours(ctx, inArray(payments.id, pending), from);
};

/** A page of our own payments, in the Stripe mode of the key. */
async function ours(ctx: Ctx, which: SQL | undefined, from: string | null): Promise<ChangePage> {
  const rows = await ctx.store.db
    .select({ id: payments.id, sessionId: payments.sessionId })
    .from(payments)
    .where(and(which, gt(payments.id, from ?? ""), eq(payments.livemode, ctx.livemode)))
    .orderBy(asc(payments.id))
    .limit(pageSize);
  const last = rows.length === pageSize ? rows.at(-1) : undefined;
  return { subjects: rows.map(({ sessionId }) => ({ sessionId })), next: last?.id ?? null };
}
