import { and, eq } from "drizzle-orm";
import { commit, mustHaveChanged } from "@/core/commit";
import type { Ctx } from "@/core/context";
import type { LimitTable } from "@/core/limit-table";
import { Refusal } from "@/core/refusal";
import type { Actor } from "./account";
import { confirm } from "./confirm";
import { forgetRecoveryCodes } from "./mfa-recovery-codes";
import { notify } from "./notices";
import { logSecurity } from "./security-log";
import { accounts } from "../schema/accounts";

type Typed = { password?: string | undefined; security_code: string };

/**
 * Turns two-factor off with a code or a recovery code, and the password unless it was typed recently.
 * Refuses with `mfa_off` if it is off already.
 */
export async function removeMfa(ctx: Ctx, limits: LimitTable, actor: Actor, typed: Typed): Promise<void> {
  const { account, browser } = actor;
  if (!account.mfaEnabledAt) throw new Refusal("mfa_off");
  const confirmed = await confirm(ctx, limits, actor, {
    password: typed.password,
    security_code: typed.security_code,
  });
  await commit(ctx.store, [
    ...confirmed,
    ctx.store.db
      .update(accounts)
      .set({ mfaSecretSealed: null, mfaEnabledAt: null, mfaLastStep: null })
      .where(and(eq(accounts.id, account.id), eq(accounts.mfaEnabledAt, account.mfaEnabledAt))),
    mustHaveChanged("mfa_off"),
    forgetRecoveryCodes(ctx, account.id),
    logSecurity(ctx, { code: "mfa.removed", accountId: account.id, browser }),
    notify(ctx, account, { what: "mfa-removed", browser }),
  ]);
  ctx.wake();
}
