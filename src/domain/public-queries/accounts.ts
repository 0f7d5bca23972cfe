import { inArray } from "drizzle-orm";
import type { z } from "zod";
import type { accountResource as shape } from "@/contract/wire/webhooks";
import type { Ctx } from "@/core/database/context";
import { accounts } from "../schema/accounts";

/** An account in webhooks. */
export type AccountResource = z.infer<typeof shape>;

/** One account by its id, without an email once it is erased. */
export const accountResource = async (ctx: Ctx, accountId: string): Promise<AccountResource> =>
  (await accountResources(ctx, [accountId])).get(accountId) ?? erasedAccount(accountId);

/** Accounts by their ids, in one query: one for every id, without an email where it is erased or never was. */
export async function accountResources(
  ctx: Ctx,
  accountIds: string[],
): Promise<Map<string, AccountResource>> {
  const rows =
    accountIds.length === 0
      ? []
      : await ctx.store.db
          .select({ id: accounts.id, email: accounts.email, confirmedAt: accounts.emailConfirmedAt })
          .from(accounts)
          .where(inArray(accounts.id, accountIds));
  const known = new Map(
    rows.map(({ id, email, confirmedAt }) => [
      id,
      { account: id, email, email_confirmed: confirmedAt !== null },
    ]),
  );
  return new Map(accountIds.map((id) => [id, known.get(id) ?? erasedAccount(id)]));
}

const erasedAccount = (account: string): AccountResource => ({
  account,
  email: null,
  email_confirmed: false,
});
