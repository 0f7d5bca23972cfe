import { timingSafeEqual } from "node:crypto";
import { and, eq, gt } from "drizzle-orm";
import { commit, isDuplicate, mustHaveChanged } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { Refusal } from "@/core/refusal";
import { emailTaken } from "./free-email";
import { logSecurity } from "./security-log";
import { type Browser, endAllSessions } from "./sessions";
import { accounts, emailUndos, recoveries } from "./tables";

/** What the link in the notice carries. It is made anew from the row's id, so nothing of it is stored. */
export const undoToken = (ctx: Ctx, id: string) => `${id}.${ctx.secrets.fingerprint("undo", id)}`;

/**
 * Gives an account its earlier address back, once, and signs everybody out: whoever changed it may
 * sit in a session. Takes back the changes after it as well, so that their links are worth nothing.
 * Resolves to the address; refuses with `undo_invalid`.
 */
export async function undoEmailChange(ctx: Ctx, token: string, browser: Browser): Promise<string> {
  const { db } = ctx.store;
  const id = token.split(".")[0] ?? "";
  if (!equal(token, undoToken(ctx, id))) throw new Refusal("undo_invalid", { field: "token" });
  const [undo] = await db
    .select()
    .from(emailUndos)
    .where(and(eq(emailUndos.id, id), gt(emailUndos.expiresAt, ctx.now())));
  if (!undo) throw new Refusal("undo_invalid", { field: "token" });
  const { accountId, email, emailKey } = undo;
  try {
    await commit(ctx.store, [
      db.delete(emailUndos).where(eq(emailUndos.id, id)),
      mustHaveChanged("undo_invalid"),
      db.delete(emailUndos).where(and(eq(emailUndos.accountId, accountId), gt(emailUndos.id, id))),
      db.update(accounts).set({ email, emailKey }).where(eq(accounts.id, accountId)),
      endAllSessions(ctx, accountId),
      db.delete(recoveries).where(eq(recoveries.accountId, accountId)),
      logSecurity(ctx, { code: "email.change_undone", accountId, browser }),
    ]);
  } catch (error) {
    throw isDuplicate(error, "accounts.email_key") ? emailTaken() : error;
  }
  return email;
}

function equal(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
