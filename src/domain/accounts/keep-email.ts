import { eq } from "drizzle-orm";
import { commit, mustHaveChanged } from "@/core/commit";
import type { Ctx } from "@/core/context";
import type { LimitTable } from "@/core/limit-table";
import { Refusal } from "@/core/refusal";
import { type Requester, stillSignedIn, unchanged } from "./account";
import { notify } from "./notices";
import { hadTwoFactor, pendingUndo } from "./pending-undo";
import { secondFactor } from "./second-factor";
import { logSecurity } from "./security-log";
import { emailUndos } from "../schema/accounts";
import { authorize } from "../permissions";

/**
 * Ends the time in which an email change can be undone, with a code of the two-factor that was on before the change: a
 * thief of password and mailbox doesn't have it. Notifies both addresses. Refuses with `email_settled`, `mfa_off`,
 * `mfa_too_new` or any code of {@link secondFactor}.
 */
export async function keepEmail(
  ctx: Ctx,
  limits: LimitTable,
  requester: Requester,
  typedCode: string,
): Promise<void> {
  authorize(requester, "account.keep_email");
  const { account, browser } = requester;
  const undo = await pendingUndo(ctx, account.id);
  if (!undo) throw new Refusal("email_settled");
  if (!account.mfaEnabledAt) throw new Refusal("mfa_off");
  if (!hadTwoFactor(undo, account)) throw new Refusal("mfa_too_new");
  const uses = await secondFactor(ctx, limits, account, { code: typedCode, browser });
  const notice = (email: string) =>
    notify(ctx, { id: account.id, email }, { what: "email-change-kept", browser });
  await commit(ctx.store, [
    ...stillSignedIn(ctx, requester),
    ...unchanged(ctx, account),
    ...uses,
    ctx.store.db.delete(emailUndos).where(eq(emailUndos.accountId, account.id)),
    mustHaveChanged("email_settled"),
    logSecurity(ctx, { code: "email.change_kept", accountId: account.id, browser }),
    notice(undo.email),
    notice(account.email),
  ]);
}
