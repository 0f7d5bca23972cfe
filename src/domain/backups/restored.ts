import { desc, eq } from "drizzle-orm";
import type { By } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import { commit } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { restoredCopy } from "@/core/database/restored-copy";
import { auditLog } from "@/core/database/schema";
import { forgetAllRequests } from "../application/device-sign-in";
import { type Announcement, stopUnfinished } from "../campaigns/announce";
import { forgetProgress } from "../payments/reconcile/progress";
import { pauseChangesAfterRestore } from "../payments/settlement/paused-changes";
import { authorize } from "../permissions";
import { emailConfirmations, recoveries } from "../schema/accounts";
import { staffInvitations, staffRequests } from "../schema/staff";

/**
 * The last time this database was restored, from a backup `made` then; null if it never was. `copy`: whether it has not
 * taken over since.
 */
export async function lastRestore(ctx: Ctx): Promise<{ at: Date; made: Date; copy: boolean } | null> {
  const [last] = await ctx.store.db
    .select({ at: auditLog.at, made: auditLog.subject })
    .from(auditLog)
    .where(eq(auditLog.action, "shop.restored"))
    .orderBy(desc(auditLog.at), desc(auditLog.id))
    .limit(1);
  if (!last) return null;
  return { at: last.at, made: new Date(last.made), copy: (await restoredCopy(ctx)) !== null };
}

/**
 * Records that this database was restored from a backup `made` then, stops announcements of unknown progress, ends the
 * codes with which applications were about to sign in and every mailed link, and leaves subscriptions at Stripe as they
 * are until all are checked. Resolves to the stopped announcements.
 */
export async function noteRestored(ctx: Ctx, made: string, by: By): Promise<Announcement[]> {
  authorize(by, "shop.restore");
  // a half-read list from before the backup has new entries at its head by now
  await forgetProgress(ctx);
  // a code may have been used after the backup, so none works now: applications ask for another
  await forgetAllRequests(ctx);
  await commit(ctx.store, [
    ...pauseChangesAfterRestore(ctx),
    // nor do mailed links and pending codes, which may have been used or withdrawn since
    ...[staffInvitations, staffRequests, recoveries, emailConfirmations].map((table) =>
      ctx.store.db.delete(table),
    ),
    record(ctx, { ...by, action: "shop.restored", subject: made }),
  ]);
  return stopUnfinished(ctx, by);
}
