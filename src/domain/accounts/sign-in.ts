import { eq, or } from "drizzle-orm";
import { audit } from "@/core/audit";
import { commit } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { Refusal } from "@/core/refusal";
import { passwordFits } from "./passwords";
import { type Browser, newSession } from "./sessions";
import { accounts } from "./tables";

/**
 * Signs in by name or email. Resolves to the token for the cookie; refuses with
 * `credentials_invalid`, equally in text and in time whether or not the account exists.
 */
export async function signIn(ctx: Ctx, typed: { username: string; password: string }, browser: Browser) {
  const key = typed.username.trim().toLowerCase();
  const [account] = await ctx.store.db
    .select({ id: accounts.id, passwordHash: accounts.passwordHash })
    .from(accounts)
    .where(or(eq(accounts.usernameKey, key), eq(accounts.emailKey, key)));
  const fits = await passwordFits(typed.password, account?.passwordHash ?? null);
  if (!account || !fits) throw new Refusal("credentials_invalid");
  const session = newSession(ctx, account.id, browser);
  await commit(ctx.store, [
    session.write,
    audit(ctx, {
      actor: account.id,
      action: "account.signed_in",
      subject: account.id,
      accountId: account.id,
    }),
  ]);
  return session.token;
}
