import { and, eq, gt, isNull } from "drizzle-orm";
import { minute } from "@/contract/vocabulary/time";
import { typedCode } from "@/contract/vocabulary/typed-codes";
import { commit, mustHaveChanged } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import type { LimitTable } from "@/contract/vocabulary/limits";
import { Refusal } from "@/core/base/refusal";
import { type Requester, mustBeSignedIn } from "../sessions/account";
import { expectCredentials } from "./proof";
import { newAuthenticatorSecret, otpauthUri, timeStepOf } from "./authenticator";
import { replaceRecoveryCodes, newRecoveryCodes } from "./mfa-recovery-codes";
import { notify } from "../sessions/notices";
import { mfaContext } from "./second-factor";
import { logSecurity } from "../sessions/security-log";
import { accounts, mfaSetups } from "../../schema/accounts";
import { authorize } from "../../permissions";

const setupMilliseconds = 10 * minute;

/**
 * Creates a secret for an authenticator app, with the password in the call: a stolen session could otherwise lock the
 * owner out. Two-factor stays off until a code from it is entered. Asking again creates a new secret. Refuses with
 * `mfa_already_on`, `password_wrong`, or without a password `reauthenticate`.
 */
export async function offerAuthenticator(
  ctx: Ctx,
  limits: LimitTable,
  requester: Requester,
  { password, secret = newAuthenticatorSecret() }: { password?: string | undefined; secret?: string },
): Promise<{ secret: string; otpauth: string }> {
  authorize(requester, "mfa.enable");
  const { account } = requester;
  if (account.mfaEnabledAt) throw new Refusal("mfa_already_on");
  if (password === undefined) throw new Refusal("reauthenticate");
  const confirmed = await expectCredentials(ctx, limits, requester, { password });
  const secretSealed = ctx.secrets.seal(secret, mfaContext(account.id));
  const expiresAt = new Date(ctx.now().getTime() + setupMilliseconds);
  await commit(ctx.store, [
    ...confirmed,
    ctx.store.db
      .insert(mfaSetups)
      .values({ accountId: account.id, secretSealed, expiresAt })
      .onConflictDoUpdate({ target: mfaSetups.accountId, set: { secretSealed, expiresAt } }),
  ]);
  return { secret, otpauth: otpauthUri(account.username, secret) };
}

/**
 * Turns two-factor on with the first code of the offered authenticator. Resolves to ten recovery
 * codes, which can't be read again. Refuses with `mfa_already_on`, `mfa_setup_expired` or
 * `mfa_code_invalid`.
 */
export async function enableMfa(ctx: Ctx, requester: Requester, typed: string): Promise<string[]> {
  authorize(requester, "mfa.enable");
  const { account, browser } = requester;
  const { db } = ctx.store;
  if (account.mfaEnabledAt) throw new Refusal("mfa_already_on");
  const [setup] = await db
    .select()
    .from(mfaSetups)
    .where(and(eq(mfaSetups.accountId, account.id), gt(mfaSetups.expiresAt, ctx.now())));
  if (!setup) throw new Refusal("mfa_setup_expired");
  const secret = ctx.secrets.open(setup.secretSealed, mfaContext(account.id));
  const step = await timeStepOf(secret, typedCode(typed), ctx.now());
  if (step === null) throw new Refusal("mfa_code_invalid", { field: "security_code" });
  const codes = newRecoveryCodes();
  await commit(ctx.store, [
    ...mustBeSignedIn(ctx, requester),
    // only the latest offered secret, and only once
    db
      .delete(mfaSetups)
      .where(and(eq(mfaSetups.accountId, account.id), eq(mfaSetups.secretSealed, setup.secretSealed))),
    mustHaveChanged("conflict"),
    db
      .update(accounts)
      .set({ mfaSecretSealed: setup.secretSealed, mfaEnabledAt: ctx.now(), mfaLastStep: step })
      .where(and(eq(accounts.id, account.id), isNull(accounts.mfaEnabledAt))),
    mustHaveChanged("mfa_already_on"),
    ...replaceRecoveryCodes(ctx, account.id, codes),
    logSecurity(ctx, { code: "mfa.enabled", accountId: account.id, browser }),
    ...notify(ctx, account, { what: "mfa-enabled", browser }),
  ]);
  return codes;
}
