import { and, eq, gt } from "drizzle-orm";
import { commit, isDuplicate, mustHaveChanged } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { Refusal } from "@/core/refusal";
import { emailTaken, expectUnblockedEmail } from "./free-email";
import { rowOfToken } from "./link-token";
import { notify } from "./notices";
import { logSecurity } from "./security-log";
import { type Browser, endAllSessions } from "./sessions";
import { accounts, emailConfirmations, emailUndos, recoveries } from "../schema/accounts";

/**
 * Restores an account's earlier address, once, and ends every session: whoever changed it may hold one. Later
 * changes are undone too, and their links voided. Both addresses are notified. Resolves to the restored address;
 * refuses with `undo_invalid`.
 */
export async function undoEmailChange(ctx: Ctx, token: string, browser: Browser): Promise<string> {
  const { db } = ctx.store;
  const id = rowOfToken(ctx, "undo", token);
  if (id === null) throw new Refusal("undo_invalid", { field: "token" });
  const [undo] = await db
    .select()
    .from(emailUndos)
    .where(and(eq(emailUndos.id, id), gt(emailUndos.expiresAt, ctx.now())));
  if (!undo) throw new Refusal("undo_invalid", { field: "token" });
  const { accountId, email, emailKey } = undo;
  await expectUnblockedEmail(ctx, email);
  const [left] = await db.select({ email: accounts.email }).from(accounts).where(eq(accounts.id, accountId));
  if (!left) throw new Refusal("undo_invalid", { field: "token" });
  const tell = (to: string) =>
    notify(ctx, { id: accountId, email: to }, { what: "email-change-undone", browser });
  try {
    await commit(ctx.store, [
      db.delete(emailUndos).where(eq(emailUndos.id, id)),
      mustHaveChanged("undo_invalid"),
      db.delete(emailUndos).where(and(eq(emailUndos.accountId, accountId), gt(emailUndos.id, id))),
      db
        .update(accounts)
        .set({ email, emailKey })
        .where(and(eq(accounts.id, accountId), eq(accounts.email, left.email))),
      mustHaveChanged("conflict"),
      endAllSessions(ctx, accountId),
      db.delete(recoveries).where(eq(recoveries.accountId, accountId)),
      db.delete(emailConfirmations).where(eq(emailConfirmations.accountId, accountId)),
      logSecurity(ctx, { code: "email.change_undone", accountId, browser }),
      tell(email),
      tell(left.email),
    ]);
  } catch (error) {
    throw isDuplicate(error, "accounts.email_key") ? emailTaken() : error;
  }
  ctx.wake();
  return email;
}
