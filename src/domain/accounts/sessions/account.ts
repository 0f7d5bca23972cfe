import { and, desc, eq, isNotNull, notExists, or, sql } from "drizzle-orm";
import { addressKey } from "@/contract/vocabulary/addresses";
import type { SiteCustomer } from "@/core/base/actor";
import { mustHaveChanged, mustNotExist, type Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { placeholderFor, preparedRead, preparedWrite } from "@/core/database/prepared";
import { rowCounts } from "@/core/database/schema";
import type { Browser } from "./sessions";
import { accounts, sessions } from "../../schema/accounts";

export type Account = typeof accounts.$inferSelect;

/** A signed-in account acting in one of its sessions. */
export type Requester = {
  actor: SiteCustomer;
  account: Account;
  session: { id: string; createdAt: Date; provedAt: Date | null };
  browser: Browser;
};

/** Finds an account by name, or by the email that it has confirmed, in any spelling. */
export async function accountByName(ctx: Ctx, typed: string): Promise<Account | null> {
  const { certain } = await accountsNamed(ctx, typed);
  return certain;
}

/** {@link accountByName}, or the only account that typed the email: whoever signs in also knows its password. */
export async function accountToSignIn(ctx: Ctx, typed: string): Promise<Account | null> {
  const { certain, typists } = await accountsNamed(ctx, typed);
  return certain ?? (typists.length === 1 ? (typists[0] ?? null) : null);
}

/** The account of a name or a confirmed email, and some that only typed the email. */
export async function accountsNamed(
  ctx: Ctx,
  typed: string,
): Promise<{ certain: Account | null; typists: Account[] }> {
  const keys = { username: typed.trim().toLowerCase(), email: addressKey(typed) };
  const found = await named(ctx.store).all(keys);
  const isCertain = ({ usernameKey, emailConfirmedAt }: Account) =>
    usernameKey === keys.username || emailConfirmedAt !== null;
  return {
    certain: found.find(isCertain) ?? null,
    typists: found.filter((account) => !isCertain(account)),
  };
}

const named = preparedRead((db) =>
  db
    .select()
    .from(accounts)
    .where(
      or(
        eq(accounts.usernameKey, sql.placeholder("username")),
        eq(accounts.emailKey, sql.placeholder("email")),
      ),
    )
    .orderBy(desc(accounts.emailConfirmedAt))
    .limit(3)
    .prepare(),
);

/** The address for emails that need a confirmed one; null while it is unconfirmed. */
export const provenEmail = ({ email, emailConfirmedAt }: Pick<Account, "email" | "emailConfirmedAt">) =>
  emailConfirmedAt === null ? null : email;

/** Null if there is none, or no longer one. */
export async function accountById(ctx: Ctx, id: string): Promise<Account | null> {
  const [account] = await ctx.store.db.select().from(accounts).where(eq(accounts.id, id));
  return account ?? null;
}

/** The id of the account that has confirmed an address, as a query for a commit. */
export const accountOfEmail = ({ store: { db } }: Ctx, typed: string) =>
  db
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(eq(accounts.emailKey, addressKey(typed)), isNotNull(accounts.emailConfirmedAt)));

export async function countAccounts(ctx: Ctx): Promise<number> {
  const [row] = await ctx.store.db.select().from(rowCounts).where(eq(rowCounts.tableName, "accounts"));
  return row?.count ?? 0;
}

/** The key under which attempts by name or email are counted: one key for every spelling. */
export const nameKey = (typed: string) =>
  typed.includes("@") ? addressKey(typed) : typed.trim().toLowerCase();

/**
 * The first writes of a commit that relies on the password and two-factor state just read. If either has changed
 * since, the commit fails, so an old password can't open a session after it was replaced.
 */
export const mustBeUnchanged = (ctx: Ctx, { id, passwordHash, mfaEnabledAt }: Account): Write[] => [
  mustNotExist(changedSince(ctx.store, { id, passwordHash, mfaEnabledAt }), "conflict"),
];

/** Selects a row if the account has changed since it was read. */
const changedSince = preparedWrite((db) =>
  db
    .select({ changed: sql`1` })
    .from(sql`(SELECT 1)`)
    .where(
      notExists(
        db
          .select({ one: sql`1` })
          .from(accounts)
          .where(
            and(
              eq(accounts.id, sql.placeholder("id")),
              eq(accounts.passwordHash, sql.placeholder("passwordHash")),
              sql`${accounts.mfaEnabledAt} IS ${placeholderFor(accounts.mfaEnabledAt, "mfaEnabledAt")}`,
            ),
          ),
      ),
    ),
);

/** The first writes of a commit by a signed-in account; it fails if the session has ended meanwhile. */
export const mustBeSignedIn = (ctx: Ctx, { session }: Requester): Write[] => [
  ctx.store.db.update(sessions).set({ id: session.id }).where(eq(sessions.id, session.id)),
  mustHaveChanged("unauthenticated"),
];
