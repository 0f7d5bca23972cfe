import { and, desc, eq, gte, lt, or, sql } from "drizzle-orm";
import type { Write } from "./commit";
import { type Ctx, newId } from "./context";
import { preparedWrite } from "./prepared-write";
import { auditLog, isByHand } from "./schema";

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
export async function auditTrail(ctx: Ctx, filter: AuditFilter) {
  const { about, actor, action, since, until, limit } = filter;
  const fits = and(
    about ? or(eq(auditLog.subject, about), eq(auditLog.accountId, about)) : undefined,
    actor ? didBy(actor) : undefined,
    since ? gte(auditLog.at, since) : undefined,
    until ? lt(auditLog.at, until) : undefined,
  );
  // each action by itself: an index holds its entries in order
  const actions = action
    ? (await knownActions(ctx)).filter((one) => `${one}.`.startsWith(`${action}.`))
    : [undefined];
  const found = await Promise.all(
    actions.map((one) =>
      ctx.store.db
        .select()
        .from(auditLog)
        .where(and(fits, one ? eq(auditLog.action, one) : undefined))
        .orderBy(desc(auditLog.at), desc(auditLog.id))
        .limit(limit),
    ),
  );
  return found.flat().toSorted(newestFirst).slice(0, limit);
}

type Entry = typeof auditLog.$inferSelect;

const newestFirst = (one: Entry, other: Entry) =>
  other.at.getTime() - one.at.getTime() || (other.id < one.id ? -1 : 1);

/** The shop's deeds are everywhere in the log, an account's stand in its own history, the others have an index. */
function didBy(actor: string) {
  const own = eq(auditLog.actor, actor);
  if (actor === "shop") return own;
  return or(and(eq(auditLog.accountId, actor), own), and(isByHand, own));
}

/** The actions in the log, from one to the next by the index. */
async function knownActions({ store: { db } }: Ctx): Promise<string[]> {
  const rows = await db.values<[name: string]>(sql`
    WITH RECURSIVE actions (name) AS (
      SELECT min(action) FROM audit_log
      UNION ALL
      SELECT (SELECT min(action) FROM audit_log WHERE action > name) FROM actions WHERE name IS NOT NULL
    )
    SELECT name FROM actions WHERE name IS NOT NULL`);
  return rows.map(([name]) => name);
}
