import { and, eq, isNull, type SQL } from "drizzle-orm";
import { addressKey } from "@/contract/vocabulary/addresses";
import { commit, mustHaveChanged, type Write } from "@/core/database/commit";
import { type Ctx, newId } from "@/core/database/context";
import type { LimitTable } from "@/contract/vocabulary/limits";
import { Refusal } from "@/core/base/refusal";
import type { Account, Requester } from "../sessions/account";
import { expectCredentials } from "../credentials/proof";
import { earlierEventsWrites } from "../emails/earlier-events";
import { confirmationWrites, spendOnMailbox } from "../emails/confirm-address";
import { formerMilliseconds } from "../sessions/former-emails";
import { commitEmail, expectFreeEmail, removeTypedElsewhere } from "./free-email";
import { notify } from "../sessions/notices";
import { logSecurity } from "../sessions/security-log";
import type { Browser } from "../sessions/sessions";
import { endRecoveries } from "../recovery/recovery-code";
import { accounts, emailConfirmations, formerEmails } from "../../schema/accounts";
import { authorize } from "../../permissions";

type EmailChange = { email: string; password: string; security_code?: string | undefined };

/**
 * Asks for another address: mails a link and six digits there, and a notice to the old one, which stays until the new one
 * is confirmed. In a shop that `sends` no mail the change applies at once. Refuses with `email_unchanged` or `email_taken`.
 */
export async function changeEmail(
  ctx: Ctx,
  limits: LimitTable,
  requester: Requester,
  { sends, ...typed }: EmailChange & { sends: boolean },
): Promise<void> {
  authorize(requester, "account.change_email");
  const { account, browser } = requester;
  const { email, ...proof } = typed;
  const confirmed = await expectCredentials(ctx, limits, requester, proof);
  await expectNewEmail(ctx, account, email);
  if (!sends) return applyEmail(ctx, account, { email, browser, confirmedAt: null, first: confirmed });
  await spendOnMailbox(ctx, limits, { accountId: account.id, email });
  await commit(ctx.store, [
    ...confirmed,
    ...confirmationWrites(ctx, { accountId: account.id, email, byOwner: true }),
    logSecurity(ctx, { code: "email.change_asked", accountId: account.id, browser }),
    ...notify(ctx, account, { what: "email-change-asked", newEmail: email, browser }),
  ]);
}

/** Refuses with `email_unchanged` or `email_taken`. */
export async function expectNewEmail(ctx: Ctx, account: Account, email: string): Promise<void> {
  if (email === account.email) throw new Refusal("email_unchanged", { field: "email" });
  await expectFreeEmail(ctx, email, account.id);
}

type Change = {
  email: string;
  browser: Browser;
  /** When the address was confirmed; null if it was only typed. */
  confirmedAt: Date | null;
  /** Former addresses can no longer take the account back. */
  endsFormer?: boolean;
  first: Write[];
};

/**
 * Gives an account another address, in one commit after the `first` writes. One that was confirmed still recovers the
 * account for 72 hours, which its notice says. Refuses with `email_taken` or `conflict`.
 */
export async function applyEmail(
  ctx: Ctx,
  account: Account,
  { email, browser, confirmedAt, endsFormer = false, first }: Change,
): Promise<void> {
  const { db } = ctx.store;
  const { id: accountId, emailKey } = account;
  const now = ctx.now();
  const isKept = !endsFormer && account.emailConfirmedAt !== null && emailKey !== addressKey(email);
  const former = account.email !== null &&
    emailKey !== null &&
    isKept && { id: newId(), accountId, email: account.email, emailKey, replacedAt: now };
  await commitEmail(ctx, [
    ...first,
    ...(confirmedAt ? removeTypedElsewhere(ctx, email, accountId) : []),
    db
      .update(accounts)
      .set({ email, emailKey: addressKey(email), emailConfirmedAt: confirmedAt })
      .where(and(eq(accounts.id, accountId), stillHasEmail(account))),
    mustHaveChanged("conflict"),
    // a typed one proves nothing, and takes no reservation away
    ...(confirmedAt || endsFormer
      ? [
          db
            .delete(formerEmails)
            .where(
              and(
                eq(formerEmails.accountId, accountId),
                endsFormer ? undefined : eq(formerEmails.emailKey, addressKey(email)),
              ),
            ),
        ]
      : []),
    ...(former ? [db.insert(formerEmails).values(former)] : []),
    endRecoveries(ctx, accountId, [account.email]),
    db.delete(emailConfirmations).where(eq(emailConfirmations.accountId, accountId)),
    ...(confirmedAt && !account.emailConfirmedAt ? earlierEventsWrites(ctx, accountId) : []),
    logSecurity(ctx, { code: "email.changed", accountId, browser }),
    ...notify(ctx, account, {
      what: "email-changed",
      newEmail: email,
      browser,
      ...(former && { recoversUntil: new Date(now.getTime() + formerMilliseconds) }),
    }),
  ]);
}

/** As a condition: the account still has the address that was read, or none. */
export const stillHasEmail = ({ email }: Pick<Account, "email">): SQL =>
  email === null ? isNull(accounts.email) : eq(accounts.email, email);
