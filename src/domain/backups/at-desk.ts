import type { Actor, By } from "@/core/base/actor";
import { BackupFailed } from "@/core/backup/backup";
import { Refusal, refusalIn } from "@/core/base/refusal";
import type { Ctx } from "@/core/database/context";
import { factOf, shopIdFact } from "@/core/database/key-values";
import { reasonOf } from "@/core/log/log";
import { authorize, expectConfirmed } from "../permissions";
import { type BackupPlan, backUp } from "./make";
import type { KeptBackup } from "./place";

export type BackupsShown = {
  place: string;
  making: boolean;
  /** Why the last one failed. */
  problem: string | null;
  /** The newest first. */
  backups: (KeptBackup & { own: boolean | null })[];
};

export type DeskBackups = {
  list(actor: Actor): Promise<BackupsShown>;
  /** Resolves once it is made, or after a few seconds while it goes on. */
  make(by: By): Promise<void>;
};

/** How long an answer waits for a backup, which takes minutes in a large shop. */
const patienceMilliseconds = 3_000;

/** Backups that staff make, in this process, until the signal. */
export function backupsAtDesk(ctx: Ctx, plan: BackupPlan, signal: AbortSignal): DeskBackups {
  let making = false;
  let problem: string | null = null;
  const made = async (by: By) => {
    making = true;
    problem = null;
    try {
      await backUp(ctx, plan, { ...by, signal });
    } catch (error) {
      const refusal = refusalIn(error);
      problem =
        refusal?.detail.sentence ?? (error instanceof BackupFailed ? error.message : "The backup failed.");
      ctx.log.warn("a backup failed", { reason: reasonOf(error) });
      throw refusal ?? new Refusal("unavailable", { sentence: problem }, { cause: error });
    } finally {
      making = false;
    }
  };
  return {
    async list(actor) {
      authorize(actor, "backup.read");
      const shop = await factOf(ctx, shopIdFact);
      const all = await plan.place.list();
      const backups = all.toReversed().map((one) => ({ ...one, own: one.shop && one.shop.id === shop }));
      return { place: plan.place.name, making, problem, backups };
    },
    async make(by) {
      authorize(by, "shop.back_up");
      // each new backup removes the oldest
      expectConfirmed(ctx, by, "shop.back_up");
      if (making) throw new Refusal("conflict", { sentence: "A backup is being made." });
      const underWay = made(by);
      // nobody may wait for it any more
      underWay.catch(() => {});
      await Promise.race([underWay, Bun.sleep(patienceMilliseconds)]);
    },
  };
}
