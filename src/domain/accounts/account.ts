import { and, eq, notExists, or, sql } from "drizzle-orm";
import { addressKey } from "@/contract/addresses";
import type { SiteCustomer } from "@/core/actor";
import { mustHaveChanged, mustNotExist, type Write } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { preparedRead } from "@/core/prepared-read";
import { placeholderFor, preparedWrite } from "@/core/prepared-write";
import { rowCounts } from "@/core/schema";
import type { Browser } from "./sessions";
import { accounts, sessions } from "../schema/accounts";

export type Account = typeof accounts.$inferSelect;

/** A signed-in account acting in one of its sessions. */
export type Requester = {
  actor: SiteCustomer;
  account: Account;
  session: { id: string; createdAt: Date; provedAt: Date | null };
  browser: Browser;
};

/** Finds an account by name or email, in any spelling. */
export async function accountByName(ctx: Ctx, typed: string): Promise<Account | null> {
  const keys = { username: typed.trim().toLowerCase(), email: addressKey(typed) };
  const [account] = await named(ctx.store).all(keys);
  return account ?? null;
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
    .limit(1)
    .prepare(),
);

/** The id of the account that has an address, as a query for a commit. */
export const accountOfEmail = ({ store: { db } }: Ctx, typed: string) =>
  db
    .select({ id: accounts.id })
    .from(accounts)
    .where(eq(accounts.emailKey, addressKey(typed)));

/** How many accounts the shop has. */
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
export const unchanged = (ctx: Ctx, { id, passwordHash, mfaEnabledAt }: Account): Write[] => [
  mustNotExist(changedSince(ctx.store, { id, passwordHash, mfaEnabledAt }), "conflict"),
];

/** A row if the account is no longer as it was. */
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
export const stillSignedIn = (ctx: Ctx, { session }: Requester): Write[] => [
  ctx.store.db.update(sessions).set({ id: session.id }).where(eq(sessions.id, session.id)),
  mustHaveChanged("unauthenticated"),
];
