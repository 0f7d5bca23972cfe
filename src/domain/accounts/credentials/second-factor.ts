import { and, eq, isNull, lt, or } from "drizzle-orm";
import { typedCode } from "@/contract/vocabulary/typed-codes";
import { takeAttempt } from "@/core/limits/attempts";
import { commit, mustHaveChanged, type Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import type { LimitTable } from "@/contract/vocabulary/limits";
import { Refusal } from "@/core/base/refusal";
import type { Account } from "../sessions/account";
import { timeStepOf } from "./authenticator";
import { findRecoveryCode, useRecoveryCode } from "./mfa-recovery-codes";
import { notify } from "../sessions/notices";
import { logRoutine, logSecurity } from "../sessions/security-log";
import type { Browser } from "../sessions/sessions";
import { accounts } from "../../schema/accounts";

export type SecondFactorInput = { code: string | undefined; browser: Browser };

/** Binds a sealed authenticator secret to its account. */
export const mfaContext = (accountId: string) => `mfa:${accountId}`;

/**
 * Checks the second factor after a correct password: six digits or a recovery code. Resolves to the writes that use up
 * the code, for the commit it authorises; none without two-factor. Refuses with `mfa_required`, `mfa_code_invalid`, or
 * `rate_limited` after five wrong codes. Counts a try before checking the code.
 */
export async function secondFactor(ctx: Ctx, limits: LimitTable, account: Account, typed: SecondFactorInput) {
  if (!account.mfaEnabledAt) return [];
  const code = typedCode(typed.code ?? "");
  if (code === "") throw new Refusal("mfa_required", { field: "security_code" });
  const attempt = await takeAttempt(ctx, limits["mfa-code"], account.id);
  const outcome = await checkCode(ctx, account, { ...typed, code });
  if (outcome === "used") await attempt.uncount();
  else if (outcome !== "wrong") return [...outcome, attempt.resetWrite()];
  else await logWrongCode(ctx, account, { ...typed, last: attempt.last });
  throw new Refusal("mfa_code_invalid", { field: "security_code" });
}

type Outcome = Write[] | "wrong" | "used";

function checkCode(
  ctx: Ctx,
  account: Account,
  typed: SecondFactorInput & { code: string },
): Promise<Outcome> {
  // a recovery code may be of digits alone too: of ten
  return /^\d{6}$/.test(typed.code)
    ? checkDigits(ctx, account, typed.code)
    : checkRecoveryCode(ctx, account, typed);
}

/** Correct digits use up their time step and all earlier ones, so a second use is refused. */
async function checkDigits(ctx: Ctx, account: Account, digits: string): Promise<Outcome> {
  if (account.mfaSecretSealed === null) return "wrong";
  const secret = ctx.secrets.open(account.mfaSecretSealed, mfaContext(account.id));
  const step = await timeStepOf(secret, digits, ctx.now());
  if (step === null) return "wrong";
  if (account.mfaLastStep !== null && step <= account.mfaLastStep) return "used";
  return [
    ctx.store.db
      .update(accounts)
      .set({ mfaLastStep: step })
      .where(
        and(eq(accounts.id, account.id), or(isNull(accounts.mfaLastStep), lt(accounts.mfaLastStep, step))),
      ),
    mustHaveChanged("mfa_code_invalid"),
  ];
}

async function checkRecoveryCode(
  ctx: Ctx,
  account: Account,
  typed: SecondFactorInput & { code: string },
): Promise<Outcome> {
  const found = await findRecoveryCode(ctx, account.id, typed.code);
  if (!found) return "wrong";
  const { browser } = typed;
  return [
    useRecoveryCode(ctx, account.id, found.codeHash),
    mustHaveChanged("mfa_code_invalid"),
    logSecurity(ctx, { code: "mfa.recovery_code_used", accountId: account.id, browser }),
    ...notify(ctx, account, { what: "recovery-codes-used", browser, codesLeft: found.left }),
  ];
}

/** Notes in the owner's security log that somebody knew the password but not the code. */
async function logWrongCode(ctx: Ctx, { id }: Account, typed: { browser: Browser; last: boolean }) {
  await commit(ctx.store, [
    ...logRoutine(ctx, { code: "mfa.code_refused", accountId: id, browser: typed.browser }),
    ...(typed.last ? [logSecurity(ctx, { code: "mfa.locked", accountId: id })] : []),
  ]);
}
