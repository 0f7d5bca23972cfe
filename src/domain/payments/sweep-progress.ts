import { eq, inArray } from "drizzle-orm";
import { commit, type Write } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { factOf, keepFact } from "@/core/installation";
import { installation } from "@/core/schema";
import type { PaymentState } from "../schema/payments";
import type { SweptList } from "./checkout";

export type SweepReport = {
  /** Where the sweep looked back to. */
  since: string;
  finished: boolean;
  pages: number;
  asked: number;
  changed: number;
  failed: number;
  /** Lists that Stripe refused; they are caught up on once they can be read. */
  skipped: SweptList[];
  /** The first hundred payments that differed from what Stripe holds. */
  found: { payment: string; from: PaymentState | "unknown"; to: PaymentState }[];
};

/** How far a sweep is: the list, and its last finished entry. A null stage means done. */
export type Progress = {
  began: string;
  since: string;
  stage: "held" | SweptList | null;
  from: string | null;
  /** The lists that Stripe refused, and since when each has not been read. */
  unread: Partial<Record<SweptList, string>>;
  report: SweepReport;
};

/** Stripe's clock and ours may differ, and events take a moment to be listed. */
const overlapMilliseconds = 60 * 60_000;
/** How far back the first sweep looks: longer than Stripe keeps retrying a webhook. */
const firstLookMilliseconds = 7 * 86_400_000;

/** The interrupted sweep, or a new one that looks back to the start of the last. */
export async function begun(ctx: Ctx): Promise<Progress> {
  const notes = await read(ctx);
  const unread = JSON.parse(notes.get("sweep_unread") ?? "{}") as Progress["unread"];
  const under = notes.get("sweep");
  if (under) return interrupted(JSON.parse(under) as Progress, unread);
  const began = ctx.now();
  const last = notes.get("last_sweep");
  const from = last ? Date.parse(last) : began.getTime() - firstLookMilliseconds;
  const since = new Date(from - overlapMilliseconds).toISOString();
  const report = {
    since,
    finished: false,
    pages: 0,
    asked: 0,
    changed: 0,
    failed: 0,
    skipped: [],
    found: [],
  };
  return { began: began.toISOString(), since, stage: "held", from: null, unread, report };
}

/** Progress saved by an earlier version lacks these two. */
const interrupted = (progress: Progress, unread: Progress["unread"]): Progress => ({
  ...progress,
  unread: progress.unread ?? unread,
  report: { ...progress.report, skipped: progress.report.skipped ?? [] },
});

/** Saves the progress. A finished sweep without failures is where the next one begins. */
export async function noteProgress(ctx: Ctx, progress: Progress): Promise<void> {
  if (progress.stage !== null) return commit(ctx.store, [keepFact(ctx, "sweep", JSON.stringify(progress))]);
  const missedNothing = progress.report.failed === 0;
  await commit(ctx.store, [
    forget(ctx),
    ...(missedNothing
      ? [
          keepFact(ctx, "last_sweep", progress.began),
          keepFact(ctx, "sweep_unread", JSON.stringify(progress.unread)),
        ]
      : []),
  ]);
}

export const forgetProgress = (ctx: Ctx): Promise<void> => commit(ctx.store, [forget(ctx)]);

export const noteReport = (ctx: Ctx, report: SweepReport): Promise<void> =>
  commit(ctx.store, [keepFact(ctx, "last_sweep_report", JSON.stringify(report))]);

/** The last sweep's report, or null before the first. */
export async function lastSweepReport(ctx: Ctx): Promise<SweepReport | null> {
  const kept = await factOf(ctx, "last_sweep_report");
  return kept ? (JSON.parse(kept) as SweepReport) : null;
}

async function read(ctx: Ctx): Promise<Map<string, string>> {
  const rows = await ctx.store.db
    .select()
    .from(installation)
    .where(inArray(installation.name, ["sweep", "last_sweep", "sweep_unread"]));
  return new Map(rows.map(({ name, value }) => [name, value]));
}

const forget = (ctx: Ctx): Write => ctx.store.db.delete(installation).where(eq(installation.name, "sweep"));
