import { and, desc, eq, inArray } from "drizzle-orm";
import { isSecurityEvent, securityEvents, type SecurityEventCode } from "@/contract/security-events";
import { audit } from "@/core/audit";
import type { Write } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { auditLog } from "@/core/schema";
import type { Browser } from "./sessions";
import { deviceName } from "./user-agent";

/** How many recent events the owner is shown. */
const shown = 20;

/**
 * The log row of a security event, for the commit that causes it. The log outlives the account, so it holds the
 * kind of device and nothing that identifies a person.
 */
export const logSecurity = (
  ctx: Ctx,
  event: { code: SecurityEventCode; accountId: string; browser?: Browser; source?: string },
): Write =>
  audit(ctx, {
    actor: event.accountId,
    action: event.code,
    subject: event.accountId,
    accountId: event.accountId,
    ...(event.browser
      ? {
          detail: {
            device: deviceName(event.browser.userAgent),
            ...(event.source ? { source: event.source } : {}),
          },
        }
      : {}),
  });

/** An account's recent events as its owner reads them, newest first. */
export async function securityLogOf(ctx: Ctx, accountId: string) {
  const rows = await ctx.store.db
    .select()
    .from(auditLog)
    .where(and(eq(auditLog.accountId, accountId), inArray(auditLog.action, Object.keys(securityEvents))))
    .orderBy(desc(auditLog.at), desc(auditLog.id))
    .limit(shown);
  return rows.flatMap(({ id, at, action, detail }) => {
    const device = typeof detail?.["device"] === "string" ? detail["device"] : null;
    return isSecurityEvent(action) ? [{ id, at, code: action, text: securityEvents[action], device }] : [];
  });
}
