import { eq } from "drizzle-orm";
import { commit } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import type { LimitTable } from "@/contract/vocabulary/limits";
import { refusalIn } from "@/core/base/refusal";
import { randomToken, tokenHash } from "@/core/secrets/secrets";
import type { Requester } from "../sessions/account";
import { expectCredentials } from "./proof";
import { countAttempt } from "./sign-in-attempts";
import { knownBrowser } from "../sessions/known-browser";
import { sessions } from "../../schema/accounts";
import { authorize } from "../../permissions";

type PasswordAndCode = { password: string; security_code?: string | undefined };

/**
 * Proves the password again in the current session, under the limits of signing in. Resolves to a new session cookie: a
 * thief who holds the old one is signed out.
 */
export async function reauthenticate(
  ctx: Ctx,
  limits: LimitTable,
  requester: Requester,
  { password, security_code }: PasswordAndCode,
): Promise<string> {
  authorize(requester, "account.reauthenticate");
  const { account, session, browser } = requester;
  const known = knownBrowser(ctx, account.id, browser.known);
  const guess = await countAttempt(ctx, limits, { username: account.username, account, known, browser });
  const confirmed = await expectCredentials(ctx, limits, requester, { password, security_code }).catch(
    async (error: unknown) => {
      if (refusalIn(error)?.code === "password_wrong") guess.wasWrong();
      else await commit(ctx.store, guess.wasRight());
      throw error;
    },
  );
  const token = randomToken();
  await commit(ctx.store, [
    ...confirmed,
    ...guess.wasRight(),
    ctx.store.db
      .update(sessions)
      .set({ tokenHash: tokenHash(token), provedAt: ctx.now() })
      .where(eq(sessions.id, session.id)),
  ]);
  return token;
}
