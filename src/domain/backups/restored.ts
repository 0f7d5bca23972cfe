import type { By } from "@/core/actor";
import { record } from "@/core/audit";
import { commit } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { forgetAllRequests } from "../application/forget-requests";
import { type Announcement, stopUnfinished } from "../mailings/announce";
import { forgetProgress } from "../payments/reconcile/progress";
import { authorize } from "../permissions";

/**
 * Records that this database was restored from a backup, stops announcements of unknown progress, and ends the codes
 * with which applications were about to sign in. `made`: when the backup was made. Resolves to the stopped announcements.
 */
export async function noteRestored(ctx: Ctx, made: string, by: By): Promise<Announcement[]> {
  authorize(by, "shop.restore");
  // a half-read list from before the backup has new entries at its head by now
  await forgetProgress(ctx);
  // what became of a code after the backup is unknown, and none counts twice: applications ask for another
  await forgetAllRequests(ctx);
  await commit(ctx.store, [record(ctx, { ...by, action: "shop.restored", subject: made })]);
  return stopUnfinished(ctx, by);
}
