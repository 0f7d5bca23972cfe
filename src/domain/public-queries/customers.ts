import { and, eq, type SQL } from "drizzle-orm";
import type { z } from "zod";
import { customerRow as row } from "@/contract/wire/lookups";
import { toWire } from "@/contract/wire/to-wire";
import type { Ctx } from "@/core/database/context";
import { type Account, accountOfEmail } from "../accounts/sessions/account";
import { accounts } from "../schema/accounts";
import { type ChangesQuery, changedAfter, oldestChangeFirst, type Row, rowOf } from "./changes";

/** An account as a look-up returns it. */
const shape = row.omit({ updated_at: true });
type CustomerResource = z.infer<typeof shape>;

export async function customerRow(ctx: Ctx, id: string): Promise<Row<CustomerResource> | null> {
  const [account] = await customers(ctx, eq(accounts.id, id));
  return account ? rowOf(account, customerOf(account)) : null;
}

/** All accounts or the one with an address, the oldest change first. */
export async function customerRows(
  ctx: Ctx,
  { email, after, limit }: ChangesQuery,
): Promise<Row<CustomerResource>[]> {
  const whose = email === null ? undefined : eq(accounts.id, accountOfEmail(ctx, email));
  const rows = await customers(ctx, and(whose, changedAfter(accounts, after)))
    .orderBy(...oldestChangeFirst(accounts))
    .limit(limit);
  return rows.map((account) => rowOf(account, customerOf(account)));
}

const readColumns = {
  id: accounts.id,
  username: accounts.username,
  email: accounts.email,
  emailConfirmedAt: accounts.emailConfirmedAt,
  createdAt: accounts.createdAt,
  updated: accounts.updated,
};

const customers = ({ store: { db } }: Ctx, which: SQL | undefined) =>
  db.select(readColumns).from(accounts).where(which).$dynamic();

const customerOf = (account: Pick<Account, keyof typeof readColumns>): CustomerResource =>
  toWire(shape, {
    ...account,
    account: account.id,
    emailConfirmed: account.emailConfirmedAt !== null,
  });
