import { visitor } from "@/core/base/actor";
import { commit } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import type { LimitTable } from "@/contract/vocabulary/limits";
import { Refusal } from "@/core/base/refusal";
import { authorize } from "../../permissions";
import { type Account, accountToSignIn, mustBeUnchanged } from "../sessions/account";
import { findBlock } from "../../blocks/find";
import { countAttempt } from "../credentials/sign-in-attempts";
import { knownBrowser } from "../sessions/known-browser";
import { expectQueueNotFull, passwordMatches, queuePlaceOf } from "../credentials/passwords";
import { secondFactor } from "../credentials/second-factor";
import { logSecurity } from "../sessions/security-log";
import { type Browser, type SignInCookies, newSession } from "../sessions/sessions";

type Credentials = { username: string; password: string; security_code?: string | undefined };

/**
 * Signs in by name or email. Resolves to the account and the cookies for the browser; refuses with
 * `credentials_invalid`, with the same text and time whether or not the account exists, and with `mfa_required` or
 * `mfa_code_invalid` after a correct password. A blocked network gets `blocked`, whatever it typed.
 */
export async function signIn(
  ctx: Ctx,
  limits: LimitTable,
  typed: Credentials,
  browser: Browser,
): Promise<{ account: Account; entered: SignInCookies }> {
  authorize(visitor, "account.sign_in");
  const account = await accountToSignIn(ctx, typed.username);
  const known = account && knownBrowser(ctx, account.id, browser.known);
  const place = account && known ? queuePlaceOf(account) : "strangers";
  expectQueueNotFull(place);
  const [guess, blocked] = await Promise.all([
    countAttempt(ctx, limits, { username: typed.username, account, known, browser }),
    findBlock(ctx, { network: browser.address }),
  ]);
  if (blocked) throw new Refusal("blocked", { blocked });
  const fits = await passwordMatches(typed.password, account?.passwordHash ?? null, place);
  if (!account || !fits) {
    guess.wasWrong();
    throw new Refusal("credentials_invalid");
  }
  const uses = await secondFactor(ctx, limits, account, { code: typed.security_code, browser }).catch(
    async (error: unknown) => {
      await commit(ctx.store, guess.wasRight());
      throw error;
    },
  );
  const session = newSession(ctx, account.id, browser);
  await commit(ctx.store, [
    ...mustBeUnchanged(ctx, account),
    ...uses,
    ...session.writes,
    ...guess.wasRight(),
    logSecurity(ctx, { code: "account.signed_in", accountId: account.id, browser }),
  ]);
  return { account, entered: session.entered };
}
