import { and, inArray, lt } from "drizzle-orm";
import { routineActions } from "@/contract/wire/audit-events";
import { day } from "@/contract/vocabulary/time";
import type { Ctx } from "@/core/database/context";
import { deleteInPages } from "@/core/database/delete-in-pages";
import { auditLog } from "@/core/database/schema";

/** Deletes routine entries of the audit log that are older than `days`. */
export async function deleteRoutineEntries(ctx: Ctx, days: number): Promise<void> {
  const since = new Date(ctx.now().getTime() - days * day);
  await deleteInPages(
    ctx,
    auditLog.id,
    and(inArray(auditLog.action, routineActions), lt(auditLog.at, since)),
  );
}
