import { and, eq, gt, ne } from "drizzle-orm";
import { minute } from "@/contract/vocabulary/time";
import { normalizePassword } from "@/contract/vocabulary/account-rules";
import { commit } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import type { LimitTable } from "@/contract/vocabulary/limits";
import { Refusal } from "@/core/base/refusal";
import { withoutIndex } from "@/core/database/without-index";
import { auditLog } from "@/core/database/schema";
import type { Account, Requester } from "../sessions/account";
import { renewApiKey } from "../sessions/api-key";
import { expectCredentials } from "./proof";
import { notify } from "../sessions/notices";
import { hashPassword, expectAcceptablePassword, passwordMatches, queuePlaceOf } from "./passwords";
import { logSecurity } from "../sessions/security-log";
import { endRecoveries } from "../recovery/recovery-code";
import { accounts, emailConfirmations, sessions } from "../../schema/accounts";
import { authorize } from "../../permissions";

type PasswordChange = {
  old_password: string;
  new_password: string;
  security_code?: string | undefined;
  renew_token?: boolean | undefined;
};

/**
 * Changes the password, and with `renew_token` the application's token. Ends every other session and any recovery in
 * progress, except one through a former address: a thief who changed the address can change the password too. Repeating the
 * same change, as after a lost answer, succeeds and does nothing.
 */
export async function changePassword(
  ctx: Ctx,
  limits: LimitTable,
  requester: Requester,
  typed: PasswordChange,
) {
  authorize(requester, "account.change_password");
  const { account, session, browser } = requester;
  const { db } = ctx.store;
  const confirmed = await expectCredentials(ctx, limits, requester, {
    password: typed.old_password,
    security_code: typed.security_code,
    field: "old_password",
  }).catch(async (error: unknown) => {
    const isWrong = error instanceof Refusal && error.code === "password_wrong";
    if (isWrong && (await hasJustChanged(ctx, account, typed.new_password))) return null;
    throw error;
  });
  if (!confirmed) return;
  if (normalizePassword(typed.new_password) === normalizePassword(typed.old_password)) {
    throw new Refusal("password_unchanged", { field: "new_password" });
  }
  expectAcceptablePassword(typed.new_password, account, "new_password");
  const passwordHash = await hashPassword(typed.new_password, queuePlaceOf(account));
  await commit(ctx.store, [
    ...confirmed,
    db.update(accounts).set({ passwordHash }).where(eq(accounts.id, account.id)),
    db.delete(sessions).where(and(eq(sessions.accountId, account.id), ne(sessions.id, session.id))),
    endRecoveries(ctx, account.id, [account.email]),
    // changes of address that were requested with the old password
    db
      .delete(emailConfirmations)
      .where(
        and(
          eq(emailConfirmations.accountId, account.id),
          withoutIndex(
            and(eq(emailConfirmations.byOwner, true), ne(emailConfirmations.email, account.email ?? "")),
          ),
        ),
      ),
    ...(typed.renew_token ? renewApiKey(ctx, account, browser) : []),
    logSecurity(ctx, { code: "password.changed", accountId: account.id, browser }),
    ...notify(ctx, account, { what: "password-changed", browser }),
  ]);
}

/** After a lost answer, a browser may repeat the change for this long. */
const repeatWindowMilliseconds = 10 * minute;

async function hasJustChanged(ctx: Ctx, account: Account, password: string): Promise<boolean> {
  const since = new Date(ctx.now().getTime() - repeatWindowMilliseconds);
  const [change] = await ctx.store.db
    .select({ id: auditLog.id })
    .from(auditLog)
    .where(
      and(
        eq(auditLog.accountId, account.id),
        gt(auditLog.at, since),
        eq(auditLog.action, "password.changed"),
      ),
    )
    .limit(1);
  return change !== undefined && passwordMatches(password, account.passwordHash, queuePlaceOf(account));
}
