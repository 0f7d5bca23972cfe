import { and, desc, eq, gt, sql } from "drizzle-orm";
import { addressKey } from "@/contract/addresses";
import { hour } from "@/contract/time";
import type { Ctx } from "@/core/context";
import { accounts, formerEmails } from "../schema/accounts";

/** How long a confirmed address still recovers the account that it was changed on. */
export const formerMilliseconds = 72 * hour;

export type FormerEmail = typeof formerEmails.$inferSelect;

/** As a condition: the address may still recover its account. */
export const isReserved = ({ now }: Ctx) =>
  gt(formerEmails.replacedAt, new Date(now().getTime() - formerMilliseconds));

/** An account's former addresses that may still recover it, newest first. */
export const formerEmailsOf = (ctx: Ctx, accountId: string): Promise<FormerEmail[]> =>
  ctx.store.db
    .select()
    .from(formerEmails)
    .where(and(eq(formerEmails.accountId, accountId), isReserved(ctx)))
    .orderBy(desc(formerEmails.replacedAt));

/** The id of the account that an address recovers, as a query for a commit: its own, or one that was changed from it. */
export const accountToRecover = (ctx: Ctx, typed: string) => {
  const { db } = ctx.store;
  const key = addressKey(typed);
  const own = db.select({ id: accounts.id }).from(accounts).where(eq(accounts.emailKey, key));
  const former = db
    .select({ id: formerEmails.accountId })
    .from(formerEmails)
    .where(and(eq(formerEmails.emailKey, key), isReserved(ctx)))
    .limit(1);
  return sql<string | null>`coalesce((${own}), (${former}))`;
};
