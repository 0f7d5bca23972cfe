import { and, desc, eq, gte, like, lt, or } from "drizzle-orm";
import type { Ctx } from "@/core/context";
import { auditLog, outbox } from "@/core/schema";

export type AuditFilter = {
  /** The id of a licence, payment or account. */
  about?: string | undefined;
  actor?: string | undefined;
  /** An action, or the beginning of several: `licence` finds `licence.issued`. */
  action?: string | undefined;
  since?: Date | undefined;
  until?: Date | undefined;
  limit: number;
};

/** What the audit log says, newest first. */
export const auditTrail = (ctx: Ctx, { about, actor, action, since, until, limit }: AuditFilter) =>
  ctx.store.db
    .select()
    .from(auditLog)
    .where(
      and(
        about ? or(eq(auditLog.subject, about), eq(auditLog.accountId, about)) : undefined,
        actor ? eq(auditLog.actor, actor) : undefined,
        action ? or(eq(auditLog.action, action), like(auditLog.action, `${action}.%`)) : undefined,
        since ? gte(auditLog.at, since) : undefined,
        until ? lt(auditLog.at, until) : undefined,
      ),
    )
    .orderBy(desc(auditLog.id))
    .limit(limit);

/** Work that waits to leave the process, what failed most first. */
export const waitingWork = (ctx: Ctx, limit: number) =>
  ctx.store.db
    .select({
      topic: outbox.topic,
      subject: outbox.subject,
      attempts: outbox.attempts,
      createdAt: outbox.createdAt,
      dueAt: outbox.dueAt,
      lastError: outbox.lastError,
    })
    .from(outbox)
    .orderBy(desc(outbox.attempts), outbox.createdAt)
    .limit(limit);
