import { eq } from "drizzle-orm";
import { addressKey } from "@/contract/vocabulary/addresses";
import { minute } from "@/contract/vocabulary/time";
import { commit, type Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { licenceOfKey } from "../../licences/keys/find";
import { accounts } from "../../schema/accounts";
import { unchanged } from "../sessions/account";
import { passwordFits, placeOf } from "../credentials/passwords";
import { logSecurity } from "../sessions/security-log";
import { type Browser, type SignInCookies, newSession } from "../sessions/sessions";

type Registration = { username: string; email: string; password: string; key: string };

/** After a lost answer, a browser may send the registration again for this long. */
const againMilliseconds = 10 * minute;

/**
 * Signs in to the account that the same registration has just created. Resolves to null if the key is unredeemed, or
 * name, email or password differ.
 */
export async function registerAgain(
  ctx: Ctx,
  typed: Registration,
  { browser, also }: { browser: Browser; also: Write[] },
): Promise<SignInCookies | null> {
  const account = await accountOfKey(ctx, typed.key);
  const isSame =
    account?.usernameKey === typed.username.toLowerCase() &&
    account.emailKey === addressKey(typed.email) &&
    account.mfaEnabledAt === null &&
    ctx.now().getTime() - account.createdAt.getTime() < againMilliseconds;
  if (!isSame) return null;
  if (!(await passwordFits(typed.password, account.passwordHash, placeOf(account)))) return null;
  const session = newSession(ctx, account.id, browser);
  await commit(ctx.store, [
    ...unchanged(ctx, account),
    ...session.writes,
    logSecurity(ctx, { code: "account.signed_in", accountId: account.id, browser }),
    ...also,
  ]);
  return session.entered;
}

async function accountOfKey(ctx: Ctx, typed: string) {
  const licence = await licenceOfKey(ctx, typed);
  if (!licence?.accountId) return null;
  const [account] = await ctx.store.db.select().from(accounts).where(eq(accounts.id, licence.accountId));
  return account ?? null;
}
