import { and, eq, exists, inArray, isNotNull, isNull, ne, sql } from "drizzle-orm";
import { addressKey } from "@/contract/vocabulary/addresses";
import { withoutIndex } from "@/core/database/without-index";
import { commit, isDuplicate, mustHaveChanged, type Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { Refusal } from "@/core/base/refusal";
import { findBlocks } from "../../blocks/find";
import { accounts, emailConfirmations, formerEmails } from "../../schema/accounts";
import { earlierEventsWrites } from "../emails/earlier-events";
import { isReserved } from "../sessions/former-emails";
import { logSecurity } from "../sessions/security-log";
import type { Browser } from "../sessions/sessions";

/**
 * Refuses with `blocked` if the address is blocked, and with `email_taken` if another account has confirmed it, or had
 * until recently and may still be recovered by it; one that others merely typed is free. `accountId` is null for a new account.
 */
export async function expectFreeEmail(ctx: Ctx, email: string, accountId: string | null): Promise<void> {
  const [blocked, ...uses] = await ctx.store.db.batch([
    findBlocks(ctx, { email }),
    ...usesOfEmail(ctx, email, accountId),
  ]);
  if (blocked.length > 0) throw emailBlocked();
  if (uses.some((rows) => rows.length > 0)) throw emailTaken();
}

/** Two queries for a batch: the account that has confirmed the address, and one that it may still recover. */
export function usesOfEmail(ctx: Ctx, email: string, accountId: string | null) {
  const { db } = ctx.store;
  const key = addressKey(email);
  const holder = db
    .select({ id: accounts.id })
    .from(accounts)
    .where(
      and(
        eq(accounts.emailKey, key),
        isNotNull(accounts.emailConfirmedAt),
        withoutIndex(ne(accounts.id, accountId ?? "")),
      ),
    );
  const former = db
    .select({ id: formerEmails.id })
    .from(formerEmails)
    .where(and(eq(formerEmails.emailKey, key), ne(formerEmails.accountId, accountId ?? ""), isReserved(ctx)))
    .limit(1);
  return [holder, former] as const;
}

/**
 * The first writes of a commit that confirms an account's address: it is struck from every other that merely typed it, which
 * keeps its name, password and licences, and is asked for another.
 */
export function removeTypedElsewhere({ store: { db } }: Ctx, email: string, accountId: string): Write[] {
  const typists = and(
    eq(accounts.emailKey, addressKey(email)),
    withoutIndex(and(ne(accounts.id, accountId), isNull(accounts.emailConfirmedAt))),
  );
  const own = db
    .select({ one: sql`1` })
    .from(accounts)
    .where(
      and(
        typists,
        eq(accounts.id, emailConfirmations.accountId),
        eq(accounts.email, emailConfirmations.email),
      ),
    );
  const theirs = db.select({ id: accounts.id }).from(accounts).where(typists);
  return [
    db
      .delete(emailConfirmations)
      .where(and(inArray(emailConfirmations.accountId, theirs), withoutIndex(exists(own)))),
    db.update(accounts).set({ email: null, emailKey: null }).where(typists),
  ];
}

/** The writes that confirm an account's address; they fail with `conflict` if it has changed or is confirmed by then. */
export const confirmEmailWrites = (
  ctx: Ctx,
  { accountId, email, browser }: { accountId: string; email: string; browser: Browser },
): Write[] => [
  ...removeTypedElsewhere(ctx, email, accountId),
  ctx.store.db
    .update(accounts)
    .set({ emailConfirmedAt: ctx.now() })
    .where(and(eq(accounts.id, accountId), eq(accounts.email, email), isNull(accounts.emailConfirmedAt))),
  mustHaveChanged("conflict"),
  ...earlierEventsWrites(ctx, accountId),
  logSecurity(ctx, { code: "email.confirmed", accountId, browser }),
];

/** Commits an address; refuses with `email_taken`, or another code, if another account has confirmed it meanwhile. */
export async function commitEmail(ctx: Ctx, writes: Write[], taken = emailTaken()): Promise<void> {
  await commit(ctx.store, writes).catch((error: unknown) => {
    throw isDuplicate(error, "accounts.email_key") ? taken : error;
  });
}

export const emailBlocked = () => new Refusal("blocked", { blocked: "email", field: "email" });

export const emailTaken = () => new Refusal("email_taken", { field: "email" });
