import { and, asc, eq, gt } from "drizzle-orm";
import { commit, isDuplicate } from "@/core/commit";
import { type Ctx, newId } from "@/core/context";
import type { LimitTable } from "@/core/limit-table";
import { Refusal } from "@/core/refusal";
import type { Account, Actor } from "./account";
import { confirm } from "./confirm";
import { emailTaken, expectFreeEmail } from "./free-email";
import { notify } from "./notices";
import { logSecurity } from "./security-log";
import { accounts, emailUndos, recoveries } from "../schema/accounts";

const undoMilliseconds = 72 * 3_600_000;

type Typed = { email: string; password: string; security_code?: string | undefined };

/**
 * Changes the email at once. The old address gets a notice with an undo link for 72 hours; until then nobody
 * else can take that address, and notices of further changes go to it alone, because an address in between
 * may be a typo and belong to a stranger.
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
  const told = await whoIsTold(ctx, account, typed.email);
  try {
    await commit(ctx.store, [
      ...confirmed,
      db
        .update(accounts)
        .set({ email: typed.email, emailKey: typed.email.toLowerCase() })
        .where(eq(accounts.id, account.id)),
      ...told.writes,
      db.delete(recoveries).where(eq(recoveries.accountId, account.id)),
      logSecurity(ctx, { code: "email.changed", accountId: account.id, browser }),
      notify(ctx, { id: account.id, email: told.email }, { ...told.notice, browser }),
    ]);
  } catch (error) {
    throw isDuplicate(error, "accounts.email_key") ? emailTaken() : error;
  }
  ctx.wake();
}

/** Who is notified of an email change, and with which undo link. */
async function whoIsTold(ctx: Ctx, account: Account, newEmail: string) {
  const { db } = ctx.store;
  const now = ctx.now();
  const [first] = await db
    .select()
    .from(emailUndos)
    .where(and(eq(emailUndos.accountId, account.id), gt(emailUndos.expiresAt, now)))
    .orderBy(asc(emailUndos.id))
    .limit(1);
  if (first?.emailKey === newEmail.toLowerCase()) {
    const writes = [db.delete(emailUndos).where(eq(emailUndos.accountId, account.id))];
    return { email: first.email, writes, notice: { what: "email-change-undone" } as const };
  }
  const expiresAt = new Date(now.getTime() + undoMilliseconds);
  const { id: accountId, email, emailKey } = account;
  const undo = first ?? { id: newId(), accountId, email, emailKey, expiresAt };
  return {
    email: undo.email,
    writes: first ? [] : [db.insert(emailUndos).values(undo)],
    notice: { what: "email-changed", newEmail, undoId: undo.id, undoUntil: undo.expiresAt } as const,
  };
}
