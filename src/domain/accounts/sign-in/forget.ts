import { and, lt, sql } from "drizzle-orm";
import { hour } from "@/contract/vocabulary/time";
import type { Ctx } from "@/core/database/context";
import { deleteInPages } from "@/core/database/delete-in-pages";
import { outbox } from "@/core/database/schema";
import { recoveryCodeEmail } from "../emails/recovery-code";
import { formerMilliseconds } from "../sessions/former-emails";
import { sessionIdleMilliseconds, sessionLongestMilliseconds } from "../sessions/sessions";
import { emailConfirmations, formerEmails, mfaSetups, recoveries, sessions } from "../../schema/accounts";
import { deskSessions, staffInvitations, staffRequests } from "../../schema/staff";

/** The time that the link in the email works, and some more for a browser that is still choosing a password. */
const recoveryGraceMilliseconds = 25 * hour;

/** A session on the desk ends after this long, however much it is used. */
export const deskLongestMilliseconds = 12 * hour;

/** Deletes expired rows. */
export async function forgetExpired(ctx: Ctx): Promise<void> {
  const now = ctx.now();
  const before = (milliseconds: number) => new Date(now.getTime() - milliseconds);
  await deleteInPages(ctx, sessions.id, lt(sessions.lastSeenAt, before(sessionIdleMilliseconds)));
  await deleteInPages(ctx, sessions.id, lt(sessions.createdAt, before(sessionLongestMilliseconds)));
  await deleteInPages(ctx, mfaSetups.accountId, lt(mfaSetups.expiresAt, now));
  // a code whose email still waits for the mail server is replaced by a new one
  const mailed = sql`NOT EXISTS (SELECT 1 FROM ${outbox} WHERE ${outbox.key} = ${`${recoveryCodeEmail.name}:`} || ${recoveries.id})`;
  const forgotten = and(lt(recoveries.expiresAt, before(recoveryGraceMilliseconds)), mailed);
  await deleteInPages(ctx, recoveries.id, forgotten);
  await deleteInPages(ctx, formerEmails.id, lt(formerEmails.replacedAt, before(formerMilliseconds)));
  await deleteInPages(
    ctx,
    deskSessions.tokenHash,
    lt(deskSessions.createdAt, before(deskLongestMilliseconds)),
  );
  await deleteInPages(ctx, staffInvitations.id, lt(staffInvitations.expiresAt, now));
  await deleteInPages(ctx, staffRequests.tokenHash, lt(staffRequests.expiresAt, now));
  await deleteInPages(ctx, emailConfirmations.id, lt(emailConfirmations.expiresAt, now));
}
