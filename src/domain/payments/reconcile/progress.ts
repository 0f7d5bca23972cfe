import { day, hour } from "@/contract/vocabulary/time";
import { commit, type Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { factOf, forgetFact, keepFact } from "@/core/database/key-values";
import type { PaymentState } from "../../schema/payments";
import { type ChangeList, changeLists } from "../port/stripe";

export type ReconcileReport = {
  /** The start of the period that reconciliation read. */
  since: string;
  finished: boolean;
  pages: number;
  asked: number;
  /** Payments that differed, each once. */
  changed: number;
  failed: number;
  /** The first hundred payments that differed from what Stripe holds. */
  found: { payment: string; from: PaymentState | "unknown"; to: PaymentState }[];
};

/** The position in Stripe's lists: the list, and its last finished entry. A null stage means done. */
export type Progress = {
  began: string;
  since: string;
  /** What reconciliation reads, in this order. */
  stages: Stage[];
  stage: Stage | null;
  from: string | null;
  report: ReconcileReport;
};

/** The last ones are our own payments: those that Stripe may still decide, or whose refund it may let fail. */
export type Stage = ChangeList | "undecided" | "refunding";

/** Without the events, which a cursor follows. */
const lists: Stage[] = ["sessions", "refunds", "disputes", "warnings"];

const ours: Stage[] = ["undecided", "refunding"];

/** Stripe's clock and ours may differ, and entries take a moment to be listed. */
const overlapMilliseconds = hour;
/** How far back the first reconciliation reads: longer than Stripe keeps retrying a webhook. */
const firstRangeMilliseconds = 7 * day;

/** The report before anything is read. */
export const noReport = (since: Date): ReconcileReport => ({
  since: since.toISOString(),
  finished: false,
  pages: 0,
  asked: 0,
  changed: 0,
  failed: 0,
  found: [],
});

/** Starts over from where the last reconciliation began; reads the events too where no cursor follows them. */
export async function newProgress(ctx: Ctx, { events }: { events: boolean }): Promise<Progress> {
  const began = ctx.now();
  const last = await factOf(ctx, "last_sweep");
  const from = last ? Date.parse(last) : began.getTime() - firstRangeMilliseconds;
  const since = new Date(from - overlapMilliseconds);
  const stages: Stage[] = [...lists, ...(events ? (["events"] as const) : []), ...ours];
  return {
    began: began.toISOString(),
    since: since.toISOString(),
    stages,
    stage: "sessions",
    from: null,
    report: noReport(since),
  };
}

export async function interruptedProgress(ctx: Ctx): Promise<Progress | null> {
  const kept = await factOf(ctx, "sweep");
  const progress = kept ? (JSON.parse(kept) as Partial<Progress>) : null;
  // start over if another release saved it, without stages or with others
  const isKnown = progress?.stages?.every((stage) => [...changeLists, ...ours].includes(stage));
  return isKnown ? (progress as Progress) : null;
}

/** How long ago the last finished reconciliation of the lists began, in milliseconds. */
export async function sinceLastReconcile(ctx: Ctx): Promise<number> {
  const last = await factOf(ctx, "last_sweep");
  return last ? ctx.now().getTime() - Date.parse(last) : Number.POSITIVE_INFINITY;
}

/** Saves the progress. Once finished, the next reconciliation begins where this one did. */
export async function noteProgress(ctx: Ctx, progress: Progress): Promise<void> {
  if (progress.stage !== null) return commit(ctx.store, [keepProgress(ctx, progress)]);
  await commit(ctx.store, [forgetFact(ctx, "sweep"), keepFact(ctx, "last_sweep", progress.began)]);
}

export const keepProgress = (ctx: Ctx, progress: Progress): Write =>
  keepFact(ctx, "sweep", JSON.stringify(progress));

export const forgetProgress = (ctx: Ctx): Promise<void> => commit(ctx.store, [forgetFact(ctx, "sweep")]);

/** The event up to which all are settled, and when we last read the events to the end. */
export type EventCursor = { after: string; readAt: string };

export async function eventCursor(ctx: Ctx): Promise<EventCursor | null> {
  const kept = await factOf(ctx, "event_cursor");
  return kept ? (JSON.parse(kept) as EventCursor) : null;
}

export const keepCursor = (ctx: Ctx, cursor: EventCursor): Write =>
  keepFact(ctx, "event_cursor", JSON.stringify(cursor));
