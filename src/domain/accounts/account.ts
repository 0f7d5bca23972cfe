import { and, eq, isNull, or } from "drizzle-orm";
import { mustHaveChanged, type Write } from "@/core/commit";
import type { Ctx } from "@/core/context";
import type { Browser } from "./sessions";
import { accounts, sessions } from "../schema/accounts";

export type Account = typeof accounts.$inferSelect;

/** Somebody who is signed in and does something. */
export type Actor = { account: Account; session: { id: string; provedAt: Date | null }; browser: Browser };

/** Looks an account up by its name or email, ignoring case. */
export async function accountByName(ctx: Ctx, typed: string): Promise<Account | null> {
  const key = nameKey(typed);
  const [account] = await ctx.store.db
    .select()
    .from(accounts)
    .where(or(eq(accounts.usernameKey, key), eq(accounts.emailKey, key)));
  return account ?? null;
}

/** How names and addresses are compared. */
export const nameKey = (typed: string) => typed.trim().toLowerCase();

/**
 * Begins a commit that rests on the password and two-factor that were read: when either changed in
 * between, nothing of it happens, so that an old password can't open a session after its end.
 */
export const unchanged = (ctx: Ctx, account: Account): Write[] => [
  ctx.store.db
    .update(accounts)
    .set({ passwordHash: account.passwordHash })
    .where(
      and(
        eq(accounts.id, account.id),
        eq(accounts.passwordHash, account.passwordHash),
        account.mfaEnabledAt
          ? eq(accounts.mfaEnabledAt, account.mfaEnabledAt)
          : isNull(accounts.mfaEnabledAt),
      ),
    ),
  mustHaveChanged("conflict"),
];

/** Begins a commit of a signed-in account: a session that ended in between changes nothing any more. */
export const stillSignedIn = (ctx: Ctx, { session }: Actor): Write[] => [
  ctx.store.db.update(sessions).set({ id: session.id }).where(eq(sessions.id, session.id)),
  mustHaveChanged("unauthenticated"),
];
