import { and, eq, ne } from "drizzle-orm";
import { commit } from "@/core/commit";
import type { Ctx } from "@/core/context";
import type { LimitTable } from "@/core/limit-table";
import { Refusal } from "@/core/refusal";
import type { Actor } from "./account";
import { renewApiKey } from "./api-key";
import { confirm } from "./confirm";
import { notify } from "./notices";
import { hashPassword, judgePassword, placeOf } from "./passwords";
import { logSecurity } from "./security-log";
import { accounts, recoveries, sessions } from "../schema/accounts";

type Typed = {
  old_password: string;
  new_password: string;
  security_code?: string | undefined;
  renew_token?: boolean | undefined;
};

/**
 * Changes the password, and with `renew_token` the application's token. Ends every other session and any recovery in
 * progress. Undo links of earlier email changes stay: whoever changed the address can change the password too.
 */
export async function changePassword(ctx: Ctx, limits: LimitTable, actor: Actor, typed: Typed) {
  const { account, session, browser } = actor;
  const { db } = ctx.store;
  const confirmed = await confirm(ctx, limits, actor, {
    password: typed.old_password,
    security_code: typed.security_code,
    field: "old_password",
  });
  if (typed.new_password === typed.old_password) {
    throw new Refusal("password_unchanged", { field: "new_password" });
  }
  judgePassword(typed.new_password, account, "new_password");
  const passwordHash = await hashPassword(typed.new_password, placeOf(account));
  await commit(ctx.store, [
    ...confirmed,
    db.update(accounts).set({ passwordHash }).where(eq(accounts.id, account.id)),
    db.delete(sessions).where(and(eq(sessions.accountId, account.id), ne(sessions.id, session.id))),
    db.delete(recoveries).where(eq(recoveries.accountId, account.id)),
    ...(typed.renew_token ? renewApiKey(ctx, account, browser) : []),
    logSecurity(ctx, { code: "password.changed", accountId: account.id, browser }),
    notify(ctx, account, { what: "password-changed", browser }),
  ]);
  ctx.wake();
}
