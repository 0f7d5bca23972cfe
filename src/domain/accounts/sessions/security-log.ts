import { and, desc, eq, inArray, type SQL, sql } from "drizzle-orm";
import {
  isSecurityEvent,
  securityEvents,
  type SecurityEventCode,
} from "@/contract/vocabulary/security-events";
import { type Actor, customer } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import type { Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { olderThan, type Place } from "@/core/database/pages";
import { auditLog } from "@/core/database/schema";
import type { Browser } from "./sessions";
import { deviceName } from "./user-agent";

/**
 * The log row of a security event, for the commit that causes it. The log outlives the account, so it holds the
 * kind of device and nothing that identifies a person.
 */
export const logSecurity = (
  ctx: Ctx,
  event: {
    code: SecurityEventCode;
    accountId: string;
    /** By default the owner. */
    actor?: Actor;
    browser?: Browser;
    source?: string;
    /** The ids of the account's computers that it is about. */
    computer?: string;
    computers?: string[];
  },
): Write => {
  const { code, accountId, actor = customer(accountId), browser, source, computer, computers } = event;
  const detail = {
    ...(browser ? { device: deviceName(browser.userAgent) } : {}),
    ...(source ? { source } : {}),
    ...(computer ? { computer } : {}),
    ...(computers ? { computers } : {}),
  };
  const isBare = Object.keys(detail).length === 0;
  return record(ctx, {
    actor,
    action: code,
    subject: accountId,
    accountId,
    ...(isBare ? {} : { detail }),
  });
};

/** How many entries of each routine kind an account keeps; together they leave room on the log's first page. */
const routineQuotas = {
  "session.others_ended": 30,
  "session.ended": 15,
  "device.deactivated": 15,
  "recovery.sent": 10,
  "mfa.code_refused": 10,
  "account.guesses_refused": 10,
} as const satisfies Partial<Record<SecurityEventCode, number>>;

type RoutineEvent = Parameters<typeof logSecurity>[1] & { code: keyof typeof routineQuotas };

/**
 * A log row for events that an application, a thief or a stranger can repeat at will: replaces the oldest of its own
 * kind, so that a flood never hides a changed password.
 */
export const logRoutine = (ctx: Ctx, event: RoutineEvent): Write[] => [
  logSecurity(ctx, event),
  keepRoom(ctx, event),
];

function keepRoom(ctx: Ctx, { accountId, code }: RoutineEvent): Write {
  const { id, at } = auditLog;
  const ofKind = and(eq(auditLog.accountId, accountId), eq(auditLog.action, code));
  const beyond = ctx.store.db
    .select({ id })
    .from(auditLog)
    .where(ofKind)
    .orderBy(desc(at), desc(id))
    .limit(100)
    .offset(routineQuotas[code]);
  return ctx.store.db.delete(auditLog).where(inArray(id, beyond));
}

const everyCode = Object.keys(securityEvents);

/** A page of an account's events as its owner reads them, newest first, after a place in the list. */
export async function securityLogOf(
  ctx: Ctx,
  accountId: string,
  { after, most, codes = everyCode }: { after: Place | null; most: number; codes?: string[] },
) {
  const rows = await ctx.store.db
    .select()
    .from(auditLog)
    .where(inArray(auditLog.id, newestIds(accountId, { after, most, codes })))
    .orderBy(desc(auditLog.at), desc(auditLog.id));
  return rows.flatMap(({ id, at, action, detail }) => {
    const device = typeof detail?.["device"] === "string" ? detail["device"] : null;
    return isSecurityEvent(action) ? [{ id, at, code: action, text: securityEvents[action], device }] : [];
  });
}

/**
 * The newest events: reads the newest of each kind in the order of an index, so that the time does not grow with an
 * account's entries of one kind.
 */
function newestIds(
  accountId: string,
  { after, most, codes }: { after: Place | null; most: number; codes: string[] },
): SQL {
  const { at, id, action, accountId: owner } = auditLog;
  const newest = sql`ORDER BY ${at} DESC, ${id} DESC LIMIT ${most}`;
  const kinds = codes.map(
    (code) =>
      sql`SELECT * FROM (SELECT ${id}, ${at} FROM ${auditLog} WHERE ${and(eq(owner, accountId), eq(action, code), olderThan(after, at, id))} ${newest})`,
  );
  return sql`(SELECT id FROM (${sql.join(kinds, sql` UNION ALL `)}) ORDER BY at DESC, id DESC LIMIT ${most})`;
}
