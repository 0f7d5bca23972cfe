import { and, eq, isNull, or } from "drizzle-orm";
import { mustHaveChanged, type Write } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { rowCounts } from "@/core/schema";
import type { Browser } from "./sessions";
import { accounts, sessions } from "../schema/accounts";

export type Account = typeof accounts.$inferSelect;

/** A signed-in account acting in one of its sessions. */
export type Actor = { account: Account; session: { id: string; provedAt: Date | null }; browser: Browser };

/** Finds an account by name or email, ignoring case. */
export async function accountByName(ctx: Ctx, typed: string): Promise<Account | null> {
  const key = nameKey(typed);
  const [account] = await ctx.store.db
    .select()
    .from(accounts)
    .where(or(eq(accounts.usernameKey, key), eq(accounts.emailKey, key)));
  return account ?? null;
}

/** How many accounts the shop has. */
export async function countAccounts(ctx: Ctx): Promise<number> {
  const [row] = await ctx.store.db.select().from(rowCounts).where(eq(rowCounts.tableName, "accounts"));
  return row?.count ?? 0;
}

/** The form in which names and email addresses are compared. */
export const nameKey = (typed: string) => typed.trim().toLowerCase();

/**
 * The first writes of a commit that relies on the password and two-factor state just read. If either has changed
 * since, the commit fails, so an old password can't open a session after it was replaced.
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

/** The first writes of a commit by a signed-in account; it fails if the session has ended meanwhile. */
export const stillSignedIn = (ctx: Ctx, { session }: Actor): Write[] => [
  ctx.store.db.update(sessions).set({ id: session.id }).where(eq(sessions.id, session.id)),
  mustHaveChanged("unauthenticated"),
];
