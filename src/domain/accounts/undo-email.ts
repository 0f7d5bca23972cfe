import { and, eq, gt, gte, isNull } from "drizzle-orm";
import { visitor } from "@/core/actor";
import { commit, isDuplicate, mustHaveChanged, mustNotExist, type Write } from "@/core/commit";
import { retryOnConflict } from "@/core/conflict";
import type { Ctx } from "@/core/context";
import { Refusal } from "@/core/refusal";
import { unlinkWrites } from "../discord/change-link";
import { linkOf } from "../discord/links";
import { authorize } from "../permissions";
import type { Account } from "./account";
import { undoMilliseconds } from "./change-email";
import { emailTaken, expectUnblockedEmail } from "./free-email";
import { rowOfToken } from "./link-token";
import { notify } from "./notices";
import { hadTwoFactor, type PendingUndo } from "./pending-undo";
import { newRecovery } from "./recovery-code";
import { turnOffMfa } from "./remove-mfa";
import { logSecurity } from "./security-log";
import { type Browser, endAllSessions } from "./sessions";
import { accounts, emailConfirmations, emailUndos, mfaSetups, recoveries } from "../schema/accounts";
import { links } from "../schema/discord";

type UndoingBrowser = Browser & { recovery: string | undefined };

/**
 * Restores an account's earlier address, once, and ends every session: the thief who changed it may hold one. Also
 * undoes later changes, and voids their links. Turns off two-factor set up and disconnects a Discord user connected
 * since the change, which are not the owner's.
 * Only a recovery, which replaces the password that the thief knows, protects the account again: mails a recovery code
 * to the restored address, for this browser, by the cookie `recovery`. Notifies both addresses. Refuses with
 * `undo_invalid`, or `email_taken` if another account has the address by now.
 */
export async function undoEmailChange(
  ctx: Ctx,
  token: string,
  browser: UndoingBrowser,
): Promise<{ email: string; recovery: string }> {
  authorize(visitor, "account.undo_email");
  const id = rowOfToken(ctx, "undo", token);
  if (id === null) throw new Refusal("undo_invalid", { field: "token" });
  return retryOnConflict(async () => {
    const { undo, account } = await undoOf(ctx, id);
    await expectUnblockedEmail(ctx, undo.email);
    const recovery = newRecovery(ctx, undo.email, browser.recovery);
    try {
      await commit(ctx.store, [
        ...restoring(ctx, { undo, account, browser }),
        ...(await disconnecting(ctx, undo)),
        ...recovery.writes,
      ]);
    } catch (error) {
      throw isDuplicate(error, "accounts.email_key") ? emailTaken() : error;
    }
    return { email: undo.email, recovery: recovery.token };
  });
}

async function undoOf(ctx: Ctx, id: string) {
  const [found] = await ctx.store.db
    .select({ undo: emailUndos, account: accounts })
    .from(emailUndos)
    .innerJoin(accounts, eq(accounts.id, emailUndos.accountId))
    .where(and(eq(emailUndos.id, id), gt(emailUndos.expiresAt, ctx.now())));
  if (!found) throw new Refusal("undo_invalid", { field: "token" });
  return found;
}

/** Ends a link to a Discord user that was made since the change; fails with `conflict` if one is made meanwhile. */
async function disconnecting(ctx: Ctx, { accountId, expiresAt }: PendingUndo): Promise<Write[]> {
  const changedAt = new Date(expiresAt.getTime() - undoMilliseconds);
  const link = await linkOf(ctx, accountId);
  if (!link || link.linkedAt < changedAt) {
    const since = and(eq(links.accountId, accountId), gte(links.linkedAt, changedAt));
    const made = ctx.store.db.select({ accountId: links.accountId }).from(links).where(since);
    return [mustNotExist(made, "conflict", {})];
  }
  return unlinkWrites(ctx, accountId, { actor: visitor });
}

type Undoing = { undo: PendingUndo; account: Account; browser: Browser };

function restoring(ctx: Ctx, { undo, account, browser }: Undoing): Write[] {
  const { db } = ctx.store;
  const { id: accountId, mfaEnabledAt } = account;
  const { email, emailKey } = undo;
  const begun = mfaEnabledAt !== null && !hadTwoFactor(undo, account);
  const notice = (to: string) =>
    notify(ctx, { id: accountId, email: to }, { what: "email-change-undone", browser });
  return [
    db.delete(emailUndos).where(eq(emailUndos.id, undo.id)),
    mustHaveChanged("undo_invalid"),
    db.delete(emailUndos).where(eq(emailUndos.accountId, accountId)),
    db
      .update(accounts)
      .set({ email, emailKey, emailConfirmedAt: ctx.now(), recoveryDueAt: ctx.now() })
      .where(
        and(
          eq(accounts.id, accountId),
          eq(accounts.email, account.email),
          mfaEnabledAt ? eq(accounts.mfaEnabledAt, mfaEnabledAt) : isNull(accounts.mfaEnabledAt),
        ),
      ),
    mustHaveChanged("conflict"),
    endAllSessions(ctx, accountId),
    db.delete(recoveries).where(eq(recoveries.accountId, accountId)),
    db.delete(emailConfirmations).where(eq(emailConfirmations.accountId, accountId)),
    db.delete(mfaSetups).where(eq(mfaSetups.accountId, accountId)),
    logSecurity(ctx, { code: "email.change_undone", accountId, browser }),
    notice(email),
    notice(account.email),
    ...(begun
      ? [
          ...turnOffMfa(ctx, { ...account, email }, browser),
          logSecurity(ctx, { code: "mfa.removed", accountId, browser }),
        ]
      : []),
  ];
}
