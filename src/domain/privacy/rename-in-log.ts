import { and, asc, eq, inArray } from "drizzle-orm";
import { commit, type Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { newerThan, type Place } from "@/core/database/pages";
import { auditLog } from "@/core/database/schema";
import { othersTurn } from "@/core/base/others-turn";

const pageSize = 500;

/**
 * Replaces Discord user ids in an account's log entries by the account's own id, which identifies nobody after the
 * erasure: as actors, and as the subject of links.
 */
export async function renameInLog(ctx: Ctx, accountId: string, actors: Set<string>): Promise<void> {
  const { id, at, actor, action } = auditLog;
  for (let after: Place | null = null; ;) {
    const page: Entry[] = await ctx.store.db
      .select({ id, at, actor, action })
      .from(auditLog)
      .where(and(eq(auditLog.accountId, accountId), newerThan(after, at, id)))
      .orderBy(asc(at), asc(id))
      .limit(pageSize);
    const acted = page.filter((entry) => actors.has(entry.actor));
    const linked = page.filter((entry) => entry.action.startsWith("discord."));
    await commit(ctx.store, [
      ...updateAll(ctx, acted, { actor: accountId }),
      ...updateAll(ctx, linked, { subject: accountId }),
    ]);
    const last = page.at(-1);
    if (!last || page.length < pageSize) return;
    after = last;
    await othersTurn();
  }
}

type Entry = Pick<typeof auditLog.$inferSelect, "id" | "at" | "actor" | "action">;

function updateAll(
  { store: { db } }: Ctx,
  entries: Entry[],
  set: { actor: string } | { subject: string },
): Write[] {
  if (entries.length === 0) return [];
  const ids = entries.map(({ id }) => id);
  return [db.update(auditLog).set(set).where(inArray(auditLog.id, ids))];
}
