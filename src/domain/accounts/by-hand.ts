import { and, eq, isNotNull } from "drizzle-orm";
import { audit, type ByHand } from "@/core/audit";
import { commit, mustHaveChanged } from "@/core/commit";
import type { Ctx } from "@/core/context";
import type { Account } from "./account";
import { forgetRecoveryCodes } from "./mfa-recovery-codes";
import { notify } from "./notices";
import { endAllSessions } from "./sessions";
import { accounts, mfaSetups } from "../schema/accounts";

/** Shown in the owner's notice in place of an address and a device. */
export const support = { address: "our support", userAgent: "" };

/** Turns off two-factor for an owner who lost their device, and notifies them. Refuses with `mfa_off`. */
export async function resetMfa(ctx: Ctx, account: Account, by: ByHand): Promise<void> {
  const { db } = ctx.store;
  await commit(ctx.store, [
    db
      .update(accounts)
      .set({ mfaSecretSealed: null, mfaEnabledAt: null, mfaLastStep: null })
      .where(and(eq(accounts.id, account.id), isNotNull(accounts.mfaEnabledAt))),
    mustHaveChanged("mfa_off"),
    forgetRecoveryCodes(ctx, account.id),
    db.delete(mfaSetups).where(eq(mfaSetups.accountId, account.id)),
    notify(ctx, account, { what: "mfa-removed", browser: support }),
    audit(ctx, { ...by, action: "mfa.reset_by_staff", subject: account.id, accountId: account.id }),
  ]);
  ctx.wake();
}

/** Ends every session of an account. Its password and API token stay valid. */
export async function signOutEverywhere(ctx: Ctx, account: Account, by: ByHand): Promise<void> {
  await commit(ctx.store, [
    endAllSessions(ctx, account.id),
    audit(ctx, { ...by, action: "session.all_ended_by_staff", subject: account.id, accountId: account.id }),
  ]);
}
