import { and, eq, isNotNull } from "drizzle-orm";
import { commit, mustHaveChanged, type Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import type { LimitTable } from "@/contract/vocabulary/limits";
import { Refusal } from "@/core/base/refusal";
import type { Account, Requester } from "../sessions/account";
import { expectCredentials } from "./proof";
import { forgetRecoveryCodes } from "./mfa-recovery-codes";
import { notify } from "../sessions/notices";
import { logSecurity } from "../sessions/security-log";
import type { Browser } from "../sessions/sessions";
import { accounts } from "../../schema/accounts";
import { authorize } from "../../permissions";

type MfaRemoval = { password?: string | undefined; security_code: string };

/**
 * Turns two-factor off with a code or a recovery code, and the password unless the owner typed it recently. Refuses
 * with `mfa_off` if it is off already.
 */
export async function removeMfa(
  ctx: Ctx,
  limits: LimitTable,
  requester: Requester,
  typed: MfaRemoval,
): Promise<void> {
  authorize(requester, "mfa.remove");
  const { account, browser } = requester;
  if (!account.mfaEnabledAt) throw new Refusal("mfa_off");
  const confirmed = await expectCredentials(ctx, limits, requester, {
    password: typed.password,
    security_code: typed.security_code,
  });
  await commit(ctx.store, [
    ...confirmed,
    ...turnOffMfa(ctx, account, browser),
    logSecurity(ctx, { code: "mfa.removed", accountId: account.id, browser }),
  ]);
}

/** The writes that turn two-factor off and notify the owner. The commit fails with `mfa_off` if it is off already. */
export const turnOffMfa = (ctx: Ctx, account: Account, browser: Browser): Write[] => [
  ctx.store.db
    .update(accounts)
    .set({ mfaSecretSealed: null, mfaEnabledAt: null, mfaLastStep: null })
    .where(and(eq(accounts.id, account.id), isNotNull(accounts.mfaEnabledAt))),
  mustHaveChanged("mfa_off"),
  forgetRecoveryCodes(ctx, account.id),
  ...notify(ctx, account, { what: "mfa-removed", browser }),
];
