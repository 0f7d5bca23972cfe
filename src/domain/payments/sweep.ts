import { and, asc, eq, gt, inArray, ne, or } from "drizzle-orm";
import pLimit from "p-limit";
import type { Ctx } from "@/core/context";
import { failpoint } from "@/core/failpoints";
import { reasonOf } from "@/core/log";
import {
  CheckoutForbidden,
  type CheckoutGateway,
  CheckoutRefused,
  CheckoutUnreachable,
  type EventSubject,
  type SweptList,
  sweptLists,
  type SweptPage,
} from "./checkout";
import { type HeldPayment, settleSubject } from "./settle";
import {
  begun,
  forgetProgress,
  noteProgress,
  noteReport,
  type Progress,
  type SweepReport,
} from "./sweep-progress";
import { isUndecided, openDisputeStatuses, payments } from "../schema/payments";

export const sweepEveryMilliseconds = 10 * 60_000;

/** An unpaid checkout expires at Stripe after a day; until then it may still be paid. */
const openForMilliseconds = 2 * 86_400_000;
const pageSize = 100;
/** Pages per sweep; the next sweep continues where this one stopped. */
const mostPages = 500;
/** Payments settled concurrently; a sweep leaves Stripe's rate limit to the buyers. */
const atOnce = 4;

/**
 * Finds what no webhook reported: asks Stripe about every payment without a final outcome, and goes through Stripe's
 * lists of sessions, refunds, disputes, fraud warnings and events since the last sweep. Progress is saved after each
 * page; a sweep that was interrupted, by a crash or by `CheckoutUnreachable`, continues there. A list that Stripe
 * refuses is skipped. Safe to repeat. `tell` is called after each page with the number of payments asked about.
 */
export async function sweep(
  ctx: Ctx,
  gateway: CheckoutGateway,
  tell?: (asked: number) => void,
): Promise<SweepReport> {
  let progress = await begun(ctx);
  const seen = new Set<string>();
  try {
    for (let pages = 0; progress.stage !== null && pages < mostPages; pages += 1) {
      const page = await pageOf(ctx, gateway, progress);
      if (!page) {
        progress = skipped(progress);
        await noteProgress(ctx, progress);
        continue;
      }
      const fresh = page.subjects.filter((subject) => isFresh(seen, subject));
      await settleAll(ctx, gateway, fresh, progress.report);
      failpoint("sweep.page-settled");
      progress = advanced(progress, page.next);
      await noteProgress(ctx, progress);
      tell?.(progress.report.asked);
      failpoint("sweep.page-noted");
    }
  } catch (error) {
    // Stripe no longer knows our place in the list: start over next time
    if (error instanceof CheckoutRefused) await forgetProgress(ctx);
    throw error;
  }
  const report = { ...progress.report, finished: progress.stage === null };
  await noteReport(ctx, report);
  ctx.log.info("swept", { count: report.changed, attempts: report.asked });
  return report;
}

/** After a page: the next page of the list, or the next list. */
function advanced(progress: Progress, next: string | null): Progress {
  const { stage, report } = progress;
  const counted = { ...progress, report: { ...report, pages: report.pages + 1 } };
  if (next !== null) return { ...counted, from: next };
  return { ...afterList(counted), unread: isList(stage) ? omit(progress.unread, stage) : progress.unread };
}

/** On to the next list; the refused one will be caught up on from where it was last read. */
function skipped(progress: Progress): Progress {
  const { stage, since, unread, report } = progress;
  if (!isList(stage)) return progress;
  return {
    ...afterList(progress),
    unread: { [stage]: since, ...unread },
    report: { ...report, skipped: [...report.skipped, stage] },
  };
}

function afterList(progress: Progress): Progress {
  const { stage } = progress;
  const following = isList(stage) ? sweptLists[sweptLists.indexOf(stage) + 1] : sweptLists[0];
  return { ...progress, stage: following ?? null, from: null };
}

const isList = (stage: Progress["stage"]): stage is SweptList => stage !== null && stage !== "held";

const omit = (unread: Progress["unread"], list: SweptList): Progress["unread"] =>
  Object.fromEntries(Object.entries(unread).filter(([name]) => name !== list));

/** Null if Stripe refuses the list. */
async function pageOf(ctx: Ctx, gateway: CheckoutGateway, progress: Progress): Promise<SweptPage | null> {
  const { stage, since, unread, from } = progress;
  if (!isList(stage)) return undecided(ctx, new Date(since), from);
  try {
    return await gateway.touched(stage, new Date(unread[stage] ?? since), from);
  } catch (error) {
    // without a place in the list it is the list itself that Stripe refuses, and will every time
    const isRefused = error instanceof CheckoutRefused && from === null;
    if (!isRefused && !(error instanceof CheckoutForbidden)) throw error;
    ctx.log.warn("a list of Stripe's may not be read", { reason: stage });
    return null;
  }
}

/** A page of our payments without a final outcome, in the Stripe mode of the key. */
async function undecided(ctx: Ctx, since: Date, from: string | null) {
  const rows = await ctx.store.db
    .select({ id: payments.id, sessionId: payments.sessionId })
    .from(payments)
    .where(
      and(
        isUndecided,
        gt(payments.id, from ?? ""),
        eq(payments.livemode, ctx.livemode),
        or(
          ne(payments.state, "open"),
          gt(payments.createdAt, new Date(since.getTime() - openForMilliseconds)),
        ),
      ),
    )
    .orderBy(asc(payments.id))
    .limit(pageSize);
  const last = rows.length === pageSize ? rows.at(-1) : undefined;
  return { subjects: rows.map(({ sessionId }) => ({ sessionId })), next: last?.id ?? null };
}

function isFresh(seen: Set<string>, subject: EventSubject): boolean {
  const name = JSON.stringify(subject);
  if (seen.has(name)) return false;
  seen.add(name);
  return true;
}

async function settleAll(
  ctx: Ctx,
  gateway: CheckoutGateway,
  subjects: EventSubject[],
  report: SweepReport,
): Promise<void> {
  const limit = pLimit(atOnce);
  const known = await heldOf(ctx, subjects);
  const results = await Promise.allSettled(
    subjects.map((subject) =>
      limit(async () => {
        const before = known.get(nameOf(subject));
        if (before && isSettledSale(before, subject)) return;
        report.asked += 1;
        note(report, before, await settleSubject(ctx, gateway, subject));
      }),
    ),
  );
  for (const { reason } of results.filter((result) => result.status === "rejected")) {
    const isAway = reason instanceof CheckoutUnreachable && !(reason instanceof CheckoutForbidden);
    if (isAway) throw reason;
    report.failed += 1;
    ctx.log.warn("a session could not be settled", { reason: reasonOf(reason) });
  }
}

const nameOf = (subject: EventSubject) => ("sessionId" in subject ? subject.sessionId : subject.intentId);

async function heldOf(ctx: Ctx, subjects: EventSubject[]): Promise<Map<string, HeldPayment>> {
  if (subjects.length === 0) return new Map();
  const names = subjects.map(nameOf);
  const rows = await ctx.store.db
    .select()
    .from(payments)
    .where(or(inArray(payments.sessionId, names), inArray(payments.intentId, names)));
  return new Map(rows.flatMap((row) => [[row.sessionId, row] as const, [row.intentId ?? "", row] as const]));
}

/** A completed session says nothing new about a paid payment; refunds and disputes have lists of their own. */
const isSettledSale = (held: HeldPayment, subject: EventSubject) =>
  "sessionId" in subject &&
  held.state === "succeeded" &&
  !openDisputeStatuses.includes(held.disputeStatus ?? "");

function note(report: SweepReport, before: HeldPayment | undefined, after: HeldPayment | null) {
  if (!after || after.version === before?.version) return;
  report.changed += 1;
  if (report.found.length < 100) {
    report.found.push({ payment: after.id, from: before?.state ?? "unknown", to: after.state });
  }
}
