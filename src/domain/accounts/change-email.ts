import { and, eq } from "drizzle-orm";
import { addressKey } from "@/contract/addresses";
import { hour } from "@/contract/time";
import { commit, isDuplicate, mustHaveChanged, type Write } from "@/core/commit";
import { type Ctx, newId } from "@/core/context";
import type { LimitTable } from "@/core/limit-table";
import { Refusal } from "@/core/refusal";
import type { Account, Requester } from "./account";
import { confirm } from "./confirm";
import { emailTaken, expectFreeEmail } from "./free-email";
import { notify } from "./notices";
import { pendingUndo } from "./pending-undo";
import { logSecurity } from "./security-log";
import type { Browser } from "./sessions";
import { accounts, emailConfirmations, emailUndos, recoveries } from "../schema/accounts";
import { authorize } from "../permissions";

export const undoMilliseconds = 72 * hour;

type Typed = { email: string; password: string; security_code?: string | undefined };

/**
 * Changes the email at once. The old address gets a notice with an undo link for 72 hours; until then nobody else can
 * take that address, and notices of further changes go only there, because an address in between may be a typo and
 * belong to a stranger.
 */
export async function changeEmail(ctx: Ctx, limits: LimitTable, requester: Requester, typed: Typed) {
  authorize(requester, "account.change_email");
  const { account, browser } = requester;
  const confirmed = await confirm(ctx, limits, requester, {
    password: typed.password,
    security_code: typed.security_code,
  });
  await expectNewEmail(ctx, account, typed.email);
  await applyEmail(ctx, account, { email: typed.email, browser, confirmedAt: null, first: confirmed });
}

/** Refuses with `email_unchanged` or `email_taken`. */
export async function expectNewEmail(ctx: Ctx, account: Account, email: string): Promise<void> {
  if (email === account.email) throw new Refusal("email_unchanged", { field: "email" });
  await expectFreeEmail(ctx, email, account.id);
}

/** `confirmedAt`: when its mailbox proved itself; null if it was typed. */
type Change = { email: string; browser: Browser; confirmedAt: Date | null; first: Write[] };

/**
 * Gives an account another address, in one commit after the `first` writes. Refuses with `email_taken` or `conflict`.
 */
export async function applyEmail(
  ctx: Ctx,
  account: Account,
  { email, browser, confirmedAt, first }: Change,
): Promise<void> {
  const { db } = ctx.store;
  const notified = await whoIsNotified(ctx, account, email);
  try {
    await commit(ctx.store, [
      ...first,
      db
        .update(accounts)
        .set({ email, emailKey: addressKey(email), emailConfirmedAt: confirmedAt })
        .where(and(eq(accounts.id, account.id), eq(accounts.email, account.email))),
      mustHaveChanged("conflict"),
      ...notified.writes,
      db.delete(recoveries).where(eq(recoveries.accountId, account.id)),
      db.delete(emailConfirmations).where(eq(emailConfirmations.accountId, account.id)),
      logSecurity(ctx, { code: "email.changed", accountId: account.id, browser }),
      notify(ctx, { id: account.id, email: notified.email }, { ...notified.notice, browser }),
    ]);
  } catch (error) {
    throw isDuplicate(error, "accounts.email_key") ? emailTaken() : error;
  }
}

/** The addresses to notify of an email change, and the undo link of each. */
async function whoIsNotified(ctx: Ctx, account: Account, newEmail: string) {
  const { db } = ctx.store;
  const first = await pendingUndo(ctx, account.id);
  if (first && addressKey(first.email) === addressKey(newEmail)) {
    const writes = [db.delete(emailUndos).where(eq(emailUndos.accountId, account.id))];
    return { email: first.email, writes, notice: { what: "email-change-undone" } as const };
  }
  const expiresAt = new Date(ctx.now().getTime() + undoMilliseconds);
  const { id: accountId, email, emailKey, mfaEnabledAt } = account;
  const undo = first ?? { id: newId(), accountId, email, emailKey, mfaEnabledAt, expiresAt };
  return {
    email: undo.email,
    writes: first ? [] : [db.insert(emailUndos).values(undo)],
    notice: { what: "email-changed", newEmail, undoId: undo.id, undoUntil: undo.expiresAt } as const,
  };
}
