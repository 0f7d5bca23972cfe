import { existsSync } from "node:fs";
import { and, asc, eq, gt, inArray, notInArray, or } from "drizzle-orm";
import { drizzle } from "drizzle-orm/libsql";
import { ConfigError } from "@/core/settings/config";
import { fileClient } from "@/core/database/file-client";
import { auditLog, isStaffAction } from "@/core/database/schema";
import { stamp, table } from "../terminal/table";

export type StaffAction = Pick<
  typeof auditLog.$inferSelect,
  "at" | "actor" | "action" | "subject" | "accountId" | "reason"
>;

/** What staff do that leaves nothing to repeat. */
const passing = [
  "staff.entered",
  "shop.backed_up",
  "build.downloaded",
  "account.noted",
  "ticket.noted",
] as const;

const byStaff = and(
  isStaffAction,
  inArray(auditLog.actorKind, ["staff", "operator"]),
  notInArray(auditLog.action, [...passing]),
);

const busyMilliseconds = 5_000;

/**
 * Staff actions after `since`, and customers' erasures of their own accounts, oldest first, from the audit log of another
 * database file. That file may be of another release, or damaged. Throws {@link ConfigError} if its log can't be read.
 */
export async function staffActionsSince(path: string, since: Date): Promise<StaffAction[]> {
  if (!existsSync(path)) throw new ConfigError(`There is no database at ${path}.`);
  const client = fileClient(path, busyMilliseconds);
  const { at, actor, action, subject, accountId, reason } = auditLog;
  try {
    return await drizzle(client)
      .select({ at, actor, action, subject, accountId, reason })
      .from(auditLog)
      .where(and(gt(at, since), or(byStaff, eq(action, "account.erased"))))
      .orderBy(asc(at));
  } catch {
    throw new ConfigError(`The audit log of ${path} can't be read.`);
  } finally {
    client.close();
  }
}

export function actionsInWords(actions: StaffAction[]): string {
  if (actions.length === 0)
    return "Staff did nothing after the backup, and nobody erased an account, as far as the old database tells.";
  const rows = actions.map(({ at, actor, action, subject, reason }) => [
    stamp(at),
    actor,
    action,
    subject,
    reason,
  ]);
  const headings = ["at", "who", "what", "subject", "reason"];
  return `This was done after the backup; repeat what still holds, and every erasure:\n${table(headings, rows)}`;
}
