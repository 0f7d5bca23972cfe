import type { Ctx } from "@/core/context";
import { reasonOf } from "@/core/log";
import { isConflict, refusalIn } from "@/core/refusal";
import { backUp, type BackupPlan } from "./make";
import { lastBackup } from "./record";
import { clearReport, reportOnce } from "../notices/report-once";

const hour = 3_600_000;
const lookEveryMilliseconds = 60_000;
/** After a failure. */
const retryMilliseconds = 10 * 60_000;
/** What staff are told under, once, until a backup is made again. */
export const backupTrouble = "backup";

export type Backups = {
  /** Makes one if it is due; resolves when that is over. */
  look(): Promise<void>;
  stop(): Promise<void>;
};

type Scheduled = BackupPlan & { everyHours: number };

/**
 * Makes backups for as long as the process lives: one whenever the last, whoever made it, is as old as
 * the plan says. Of several processes one does it. `count` hears how each ended.
 */
export function startBackups(
  ctx: Ctx,
  { everyHours, ...plan }: Scheduled,
  count: (result: "done" | "failed") => void,
): Backups {
  const stopping = new AbortController();
  let failedAt = -Infinity;

  const isDue = async () => {
    const now = ctx.now().getTime();
    if (now - failedAt < retryMilliseconds) return false;
    const last = await lastBackup(ctx);
    return !last || now - last.at.getTime() >= everyHours * hour;
  };
  const make = async () => {
    if (stopping.signal.aborted || !(await isDue())) return;
    try {
      await backUp(ctx, plan, { actor: "shop", signal: stopping.signal });
      count("done");
      await clearReport(ctx, backupTrouble);
    } catch (error) {
      // another process makes it
      if (stopping.signal.aborted || isConflict(error)) return;
      failedAt = ctx.now().getTime();
      count("failed");
      ctx.log.warn("the backup failed and will be tried again", { reason: reasonOf(error) });
      await reportOnce(ctx, backupTrouble, { kind: "backup", sentence: sentenceOf(error) });
    }
  };

  let running: Promise<void> = Promise.resolve();
  const look = () =>
    (running = running.then(make).catch((error: unknown) => {
      ctx.log.warn("the backup could not be scheduled", { reason: reasonOf(error) });
    }));
  const timer = setInterval(() => void look(), lookEveryMilliseconds);
  void look();
  return {
    look,
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await running;
    },
  };
}

function sentenceOf(error: unknown): string {
  const why = refusalIn(error)?.detail.sentence ?? (error instanceof Error ? error.message : "");
  return `The backup that was due failed. ${why} It is tried again every ten minutes.`;
}
