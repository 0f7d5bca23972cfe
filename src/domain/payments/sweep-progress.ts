import { eq, inArray } from "drizzle-orm";
import { commit, type Write } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { factOf, keepFact } from "@/core/installation";
import { installation } from "@/core/schema";
import type { SweptList } from "./checkout";
import type { SweepReport } from "./sweep";

/** Where a sweep is: which list, and the entry of it that was done last. No stage: it is through. */
export type Progress = {
  began: string;
  since: string;
  stage: "held" | SweptList | null;
  from: string | null;
  /** Of each list that Stripe refused, since when it was not read. */
  unread: Partial<Record<SweptList, string>>;
  report: SweepReport;
};

/** Stripe's clock and ours may differ, and an event takes a moment to be listed. */
const overlapMilliseconds = 60 * 60_000;
/** How far back the first sweep looks: longer than Stripe goes on sending an event. */
const firstLookMilliseconds = 7 * 86_400_000;

/** The sweep that was interrupted, or a new one that looks back to where the last one began. */
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

/** An earlier version of the shop noted neither of these two. */
const interrupted = (progress: Progress, unread: Progress["unread"]): Progress => ({
  ...progress,
  unread: progress.unread ?? unread,
  report: { ...progress.report, skipped: progress.report.skipped ?? [] },
});

/** Notes how far it is; one that is through and missed nothing is where the next one begins. */
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

/** What the last sweep found, or null before the first. */
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
