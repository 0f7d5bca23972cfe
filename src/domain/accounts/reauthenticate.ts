import { eq } from "drizzle-orm";
import { commit } from "@/core/commit";
import type { Ctx } from "@/core/context";
import type { LimitTable } from "@/core/limit-table";
import { randomToken, tokenHash } from "@/core/secrets";
import type { Actor } from "./account";
import { confirm } from "./confirm";
import { countGuess } from "./sign-in";
import { sessions } from "./tables";

type Typed = { password: string; security_code?: string | undefined };

/**
 * Proves the password again in a session that goes on, within the limits of signing in. Resolves to a new
 * cookie for it: whoever else holds the old one has proved nothing, and is out.
 */
export async function reauthenticate(
  ctx: Ctx,
  limits: LimitTable,
  actor: Actor,
  { password, security_code }: Typed,
): Promise<string> {
  const { account, session, browser } = actor;
  await countGuess(ctx, limits, { account, name: account.usernameKey, browser });
  const confirmed = await confirm(ctx, limits, actor, { password, security_code });
  const token = randomToken();
  await commit(ctx.store, [
    ...confirmed,
    ctx.store.db
      .update(sessions)
      .set({ tokenHash: tokenHash(token), provedAt: ctx.now() })
      .where(eq(sessions.id, session.id)),
  ]);
  ctx.wake();
  return token;
}
