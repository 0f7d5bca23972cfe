import { customer } from "@/core/base/actor";
import { commit } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { limitTable } from "@/contract/vocabulary/limits";
import { accountByName } from "@/domain/accounts/sessions/account";
import { codeBefore } from "@/domain/accounts/credentials/authenticator";
import { enableMfa, offerAuthenticator } from "@/domain/accounts/credentials/enable-mfa";
import { newSession, sessionReader } from "@/domain/accounts/sessions/sessions";
import { cast, type Guarded, here } from "./members";

/** Uses the previous code, so that the app's current code stays valid. */
export async function turnOnTwoFactor(ctx: Ctx, member: Guarded): Promise<void> {
  const account = await accountByName(ctx, member);
  if (!account || account.mfaEnabledAt) return;
  const { password, secret } = cast[member];
  const { writes, entered } = newSession(ctx, account.id, here);
  await commit(ctx.store, writes);
  const signedIn = await sessionReader(ctx)(entered.session);
  if (!signedIn) throw new Error(`${member} is not signed in`);
  const requester = { ...signedIn, actor: customer(account.id), browser: here };
  await offerAuthenticator(ctx, limitTable({}), requester, { password, secret });
  await enableMfa(ctx, requester, await codeBefore(secret, ctx.now()));
}
