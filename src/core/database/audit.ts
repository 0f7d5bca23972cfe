import { and, desc, eq, gte, lt, or, sql } from "drizzle-orm";
import type { AuditAction, AuditDetails } from "@/contract/wire/audit-events";
import { type Actor, actorId, highestRole, type StaffRole } from "../base/actor";
import type { Write } from "./commit";
import { type Ctx, newId } from "./context";
import { preparedWrite } from "./prepared";
import { auditLog, isStaffAction } from "./schema";

/** An event for the audit log. `detail` is absent where the type has no details. */
type AuditEvent<A extends AuditAction> = {
  actor: Actor;
  action: A;
  subject: string;
  /** The account whose history this belongs to, if any. */
  accountId?: string | null;
  reason?: string;
} & ({} extends AuditDetails<A> ? { detail?: AuditDetails<A> } : { detail: AuditDetails<A> });

/** Records an event in the audit log, in the commit of the fact. */
export const record = <A extends AuditAction>(ctx: Ctx, { actor, reason, ...event }: AuditEvent<A>): Write =>
  insert(ctx.store, {
    ...nothing,
    id: newId(),
    at: ctx.now(),
    ...event,
    ...actorColumns(actor),
    reason: reason || null,
  });

/** How tables store who did something. */
export const actorColumns = (actor: Actor) => ({
  actor: actorId(actor),
  actorKind: actor.kind,
  actorRole: actor.kind === "staff" ? highestRole(actor.roles) : null,
  actorVia: "via" in actor ? actor.via : null,
});

const nothing = { accountId: null, detail: null };
const insert = preparedWrite((db) =>
  db.insert(auditLog).values({
    id: sql.placeholder("id"),
    at: sql.placeholder("at"),
    actor: sql.placeholder("actor"),
    actorKind: sql.placeholder("actorKind"),
    actorRole: sql.placeholder("actorRole"),
    actorVia: sql.placeholder("actorVia"),
    action: sql.placeholder("action"),
    subject: sql.placeholder("subject"),
    accountId: sql.placeholder("accountId"),
    reason: sql.placeholder("reason"),
    detail: sql.placeholder("detail"),
  }),
);

type AuditFilter = {
  /** The id of a licence, payment or account. */
  about?: string | undefined;
  actor?: string | undefined;
  /** An action, or a prefix of several: `licence` finds `licence.issued`. */
  action?: string | undefined;
  since?: Date | undefined;
  until?: Date | undefined;
  limit: number;
};

export type LoggedActor = { kind: Actor["kind"]; id: string; role: StaffRole | null; via: string | null };

/** The actor of an entry. */
export const loggedActor = (
  entry: Pick<Entry, "actor" | "actorKind" | "actorRole" | "actorVia">,
): LoggedActor => ({ kind: entry.actorKind, id: entry.actor, role: entry.actorRole, via: entry.actorVia });

/** Matching audit entries, newest first. */
export async function auditTrail(ctx: Ctx, filter: AuditFilter): Promise<Entry[]> {
  const { about, actor, action, since, until, limit } = filter;
  const fits = and(
    about ? or(eq(auditLog.subject, about), eq(auditLog.accountId, about)) : undefined,
    actor ? didBy(actor) : undefined,
    since ? gte(auditLog.at, since) : undefined,
    until ? lt(auditLog.at, until) : undefined,
  );
  // query each action by itself: an index holds its entries in order
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

export type Entry = typeof auditLog.$inferSelect;

const newestFirst = (one: Entry, other: Entry) =>
  other.at.getTime() - one.at.getTime() || (other.id < one.id ? -1 : 1);

/** The shop acts everywhere in the log, an account in its own history; an index covers all other actors. */
function didBy(actor: string) {
  const own = eq(auditLog.actor, actor);
  if (actor === "shop") return own;
  return or(and(eq(auditLog.accountId, actor), own), and(isStaffAction, own));
}

/** The actions in the log, among them those of earlier releases; steps from one to the next by the index instead of reading every entry. */
export async function knownActions({ store: { db } }: Ctx): Promise<string[]> {
  const rows = await db.values<[name: string]>(sql`
    WITH RECURSIVE actions (name) AS (
      SELECT min(action) FROM audit_log
      UNION ALL
      SELECT (SELECT min(action) FROM audit_log WHERE action > name) FROM actions WHERE name IS NOT NULL
    )
    SELECT name FROM actions WHERE name IS NOT NULL`);
  return rows.map(([name]) => name);
}
