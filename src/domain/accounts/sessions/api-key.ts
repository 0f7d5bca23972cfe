import { and, eq, isNotNull, isNull } from "drizzle-orm";
import { commit, mustHaveChanged, type Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { randomToken, tokenHash } from "@/core/secrets/secrets";
import { type Account, type Requester, mustBeSignedIn } from "./account";
import { endDeviceTokens } from "./device-tokens";
import { notify } from "./notices";
import { logSecurity } from "./security-log";
import type { Browser } from "./sessions";
import { accounts } from "../../schema/accounts";
import { authorize } from "../../permissions";

/** The token that the desktop application signs in with, or null if none is set. */
export const apiKeyOf = (ctx: Ctx, account: Pick<Account, "id" | "apiKeySealed">) =>
  account.apiKeySealed === null ? null : ctx.secrets.open(account.apiKeySealed, apiKeyContext(account.id));

/** A new token and its stored forms: a SHA-256 for lookups, and the sealed token for display. */
export function newApiKey(ctx: Ctx, accountId: string) {
  const apiKey = randomToken();
  return {
    apiKey,
    stored: {
      apiKeyHash: tokenHash(apiKey),
      apiKeySealed: ctx.secrets.seal(apiKey, apiKeyContext(accountId)),
    },
  };
}

/**
 * Replaces the token; the old one, and those of the account's computers, stop working in the same commit. Of two
 * racing resets one gets a new token and the other is refused with `conflict`, so nobody gets a token that no longer works.
 */
export async function resetApiKey(ctx: Ctx, requester: Requester): Promise<string> {
  authorize(requester, "account.reset_token");
  const { account, browser } = requester;
  const { apiKey, stored } = newApiKey(ctx, account.id);
  const seen =
    account.apiKeyHash === null ? isNull(accounts.apiKeyHash) : eq(accounts.apiKeyHash, account.apiKeyHash);
  await commit(ctx.store, [
    ...mustBeSignedIn(ctx, requester),
    ctx.store.db
      .update(accounts)
      .set(stored)
      .where(and(eq(accounts.id, account.id), seen)),
    mustHaveChanged("conflict"),
    ...endDeviceTokens(ctx, account.id),
    logSecurity(ctx, { code: "token.reset", accountId: account.id, browser }),
    ...notify(ctx, account, { what: "token-reset", browser }),
  ]);
  return apiKey;
}

/**
 * The writes that, along with another change, replace the token if one is set and notify the owner, and end the tokens of
 * the account's computers. They end what a thief read on the account's page.
 */
export function renewApiKey(ctx: Ctx, account: Account, browser: Browser): Write[] {
  const ended = endDeviceTokens(ctx, account.id);
  if (account.apiKeyHash === null) return ended;
  const { stored } = newApiKey(ctx, account.id);
  return [
    ctx.store.db
      .update(accounts)
      .set(stored)
      .where(and(eq(accounts.id, account.id), isNotNull(accounts.apiKeyHash))),
    ...ended,
    logSecurity(ctx, { code: "token.reset", accountId: account.id, browser }),
    ...notify(ctx, account, { what: "token-reset", browser }),
  ];
}

/** Binds a sealed token to its account: no other row can open it. */
export const apiKeyContext = (accountId: string) => `api-key:${accountId}`;
