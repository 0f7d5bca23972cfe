import { and, desc, eq, gt } from "drizzle-orm";
import { hour } from "@/contract/vocabulary/time";
import type { Ctx } from "@/core/database/context";
import { formerEmails } from "../../schema/accounts";

/** How long a confirmed address still recovers the account that it was changed on. */
export const formerMilliseconds = 72 * hour;

export type FormerEmail = typeof formerEmails.$inferSelect;

/** As a condition: the address may still recover its account. */
export const isReserved = ({ now }: Pick<Ctx, "now">) =>
  gt(formerEmails.replacedAt, new Date(now().getTime() - formerMilliseconds));

/** An account's former addresses that may recover it `at` a time, by default now; newest first. */
export const formerEmailsOf = (ctx: Ctx, accountId: string, at = ctx.now()): Promise<FormerEmail[]> =>
  ctx.store.db
    .select()
    .from(formerEmails)
    .where(and(eq(formerEmails.accountId, accountId), isReserved({ now: () => at })))
    .orderBy(desc(formerEmails.replacedAt));
