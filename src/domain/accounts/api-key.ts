import { and, eq, isNull } from "drizzle-orm";
import { commit, mustHaveChanged } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { randomToken, tokenHash } from "@/core/secrets";
import { type Account, type Actor, stillSignedIn } from "./account";
import { notify } from "./notices";
import { logSecurity } from "./security-log";
import { accounts } from "../schema/accounts";

/** The token by which the desktop application signs in, or null where none is set. */
export const apiKeyOf = (ctx: Ctx, account: Pick<Account, "id" | "apiKeySealed">) =>
  account.apiKeySealed === null ? null : ctx.secrets.open(account.apiKeySealed, contextOf(account.id));

/** A new token, and what is stored of it: SHA-256 to look it up, and itself sealed to show it. */
export function newApiKey(ctx: Ctx, accountId: string) {
  const apiKey = randomToken();
  return {
    apiKey,
    stored: {
      apiKeyHash: tokenHash(apiKey),
      apiKeySealed: ctx.secrets.seal(apiKey, contextOf(accountId)),
    },
  };
}

/**
 * Puts a new token in the old one's place, which is dead in the same commit. Of two who saw the same
 * old one, one gets a new one and the other is refused with `conflict`, so that nobody is handed a
 * token that is dead already.
 */
export async function resetApiKey(ctx: Ctx, actor: Actor): Promise<string> {
  const { account, browser } = actor;
  const { apiKey, stored } = newApiKey(ctx, account.id);
  const seen =
    account.apiKeyHash === null ? isNull(accounts.apiKeyHash) : eq(accounts.apiKeyHash, account.apiKeyHash);
  await commit(ctx.store, [
    ...stillSignedIn(ctx, actor),
    ctx.store.db
      .update(accounts)
      .set(stored)
      .where(and(eq(accounts.id, account.id), seen)),
    mustHaveChanged("conflict"),
    logSecurity(ctx, { code: "token.reset", accountId: account.id, browser }),
    notify(ctx, account, { what: "token-reset", browser }),
  ]);
  ctx.wake();
  return apiKey;
}

/** Binds a sealed token to its account: moved to another row it doesn't open. */
const contextOf = (accountId: string) => `api-key:${accountId}`;
