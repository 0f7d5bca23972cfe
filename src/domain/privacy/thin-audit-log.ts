import { and, inArray, lt } from "drizzle-orm";
import { day } from "@/contract/time";
import type { Ctx } from "@/core/context";
import { deleteInPages } from "@/core/delete-in-pages";
import { auditLog } from "@/core/schema";

/**
 * Routine entries, which nobody looks up years later. All others stay: what was paid, what became of a licence, who
 * gained or lost access to an account, and what staff did by hand.
 */
const routine = [
  "account.signed_in",
  "account.guesses_refused",
  "session.ended",
  "session.others_ended",
  "mfa.code_refused",
  "recovery.sent",
  "payment.opened",
  "payment.expired",
  "build.downloaded",
  "mail.rejected",
  "discord.role_granted",
  "discord.role_taken",
  "ticket.opened",
  "ticket.claimed",
  "ticket.unclaimed",
  "ticket.closed",
  "ticket.reopened",
  "ticket.rated",
  "ticket.noted",
  "ticket.escalated",
  "ticket.transferred",
  "ticket.guest_added",
];

/** Deletes routine entries of the audit log that are older than `days`. */
export async function thinAuditLog(ctx: Ctx, days: number): Promise<void> {
  const since = new Date(ctx.now().getTime() - days * day);
  await deleteInPages(ctx, auditLog.id, and(inArray(auditLog.action, routine), lt(auditLog.at, since)));
}
