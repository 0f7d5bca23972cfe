import { eq } from "drizzle-orm";
import { commit, isDuplicate } from "@/core/commit";
import { type Ctx, newId } from "@/core/context";
import type { LimitTable } from "@/core/limit-table";
import { Refusal } from "@/core/refusal";
import type { Actor } from "./account";
import { confirm } from "./confirm";
import { emailTaken, expectFreeEmail } from "./free-email";
import { notify } from "./notices";
import { logSecurity } from "./security-log";
import { accounts, emailUndos, recoveries } from "./tables";

export const undoHours = 72;

type Typed = { email: string; password: string; security_code?: string | undefined };

/**
 * Changes the address at once. The old one is told, and may undo it for 72 hours; until then nobody
 * else can take it.
 */
export async function changeEmail(ctx: Ctx, limits: LimitTable, actor: Actor, typed: Typed) {
  const { account, browser } = actor;
  const { db } = ctx.store;
  const confirmed = await confirm(ctx, limits, actor, {
    password: typed.password,
    security_code: typed.security_code,
  });
  if (typed.email === account.email) throw new Refusal("email_unchanged", { field: "email" });
  await expectFreeEmail(ctx, typed.email, account.id);
  const undoId = newId();
  const expiresAt = new Date(ctx.now().getTime() + undoHours * 3_600_000);
  try {
    await commit(ctx.store, [
      ...confirmed,
      db
        .update(accounts)
        .set({ email: typed.email, emailKey: typed.email.toLowerCase() })
        .where(eq(accounts.id, account.id)),
      db.insert(emailUndos).values({
        id: undoId,
        accountId: account.id,
        email: account.email,
        emailKey: account.emailKey,
        expiresAt,
      }),
      db.delete(recoveries).where(eq(recoveries.accountId, account.id)),
      logSecurity(ctx, { code: "email.changed", accountId: account.id, browser }),
      notify(ctx, account, { what: "email-changed", browser, newEmail: typed.email, undoId }),
    ]);
  } catch (error) {
    throw isDuplicate(error, "accounts.email_key") ? emailTaken() : error;
  }
  ctx.wake();
}
