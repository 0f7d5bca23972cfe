import { and, desc, eq, gte, like, lt, or, sql } from "drizzle-orm";
import type { Write } from "./commit";
import { type Ctx, newId } from "./context";
import { preparedWrite } from "./prepared-write";
import { auditLog } from "./schema";

export type AuditEntry = {
  /** `shop`, `operator`, or an account's id. */
  actor: string;
  action: string;
  subject: string;
  accountId?: string | null;
  reason?: string;
  detail?: Record<string, string | number | boolean | null>;
};

/** The member of staff who does something by hand, as the audit log names them, and why. */
export type ByHand = { actor: string; reason: string };

/** The audit entry for a commit, written in that same commit. */
export const audit = (ctx: Ctx, entry: AuditEntry): Write =>
  insert(ctx.store, { ...nothing, id: newId(), at: ctx.now(), ...entry });

const nothing = { accountId: null, reason: null, detail: null };
const insert = preparedWrite((db) =>
  db.insert(auditLog).values({
    id: sql.placeholder("id"),
    at: sql.placeholder("at"),
    actor: sql.placeholder("actor"),
    action: sql.placeholder("action"),
    subject: sql.placeholder("subject"),
    accountId: sql.placeholder("accountId"),
    reason: sql.placeholder("reason"),
    detail: sql.placeholder("detail"),
  }),
);

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

/** Matching audit entries, newest first. */
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
