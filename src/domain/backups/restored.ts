import type { By } from "@/core/actor";
import { record } from "@/core/audit";
import { commit } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { type Announcement, stopUnfinished } from "../mailings/announce";
import { forgetProgress } from "../payments/reconcile/progress";
import { authorize } from "../permissions";

/**
 * Records that this database was restored from a backup, and stops announcements of unknown progress. `made`: when the
 * backup was made. Resolves to the stopped announcements.
 */
export async function noteRestored(ctx: Ctx, made: string, by: By): Promise<Announcement[]> {
  authorize(by, "shop.restore");
  // a half-read list from before the backup has new entries at its head by now
  await forgetProgress(ctx);
  await commit(ctx.store, [record(ctx, { ...by, action: "shop.restored", subject: made })]);
  return stopUnfinished(ctx, by);
}
