import { and, desc, eq, gt } from "drizzle-orm";
import { hour } from "@/contract/time";
import type { Ctx } from "@/core/context";
import { formerEmails } from "../schema/accounts";

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
