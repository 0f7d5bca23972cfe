import { theShop } from "@/core/base/actor";
import { hour, minute } from "@/contract/vocabulary/time";
import { isConflict } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { reasonOf } from "@/core/log/log";
import type { PeriodicJob } from "@/core/jobs/scheduler";
import { refusalIn } from "@/core/base/refusal";
import { backUp, type BackupPlan } from "./make";
import { backupReport, lastBackup } from "./record";
import { reportOnce } from "../notices/report-once";

const checkEveryMilliseconds = minute;
/** The pause after a failure. */
const retryMilliseconds = 10 * minute;

type ScheduledPlan = BackupPlan & { everyHours: number };

/** Makes a backup whenever the last one, scheduled or not, is older than the plan's interval. */
export function backupJob(
  ctx: Ctx,
  { everyHours, ...plan }: ScheduledPlan,
  count: (result: "done" | "failed") => void,
): PeriodicJob {
  let failedAt = -Infinity;
  const isDue = async () => {
    const now = ctx.now().getTime();
    // a clock set back must not delay it
    if (Math.abs(now - failedAt) < retryMilliseconds) return false;
    const last = await lastBackup(ctx);
    return !last || now - last.at.getTime() >= everyHours * hour;
  };
  const run = async (signal: AbortSignal) => {
    if (signal.aborted || !(await isDue())) return;
    try {
      await backUp(ctx, plan, { actor: theShop, signal });
      count("done");
    } catch (error) {
      // the operator's command line is making one
      if (signal.aborted || isConflict(error)) return;
      failedAt = ctx.now().getTime();
      count("failed");
      ctx.log.warn("the backup failed and will be tried again", { reason: reasonOf(error) });
      await reportOnce(ctx, backupReport, { kind: "backup", sentence: sentenceOf(error) });
    }
  };
  return {
    name: "backup",
    everyMilliseconds: checkEveryMilliseconds,
    firstAfterMilliseconds: 0,
    inOneProcess: true,
    run,
  };
}

function sentenceOf(error: unknown): string {
  const why = refusalIn(error)?.detail.sentence ?? (error instanceof Error ? error.message : "");
  return `The backup that was due failed. ${why} It is retried every ten minutes.`;
}
