import { eq, inArray } from "drizzle-orm";
import type { DeskFilters } from "@/contract/wire/desk/lists";
import type { CustomerRow } from "@/contract/wire/desk/rows";
import type { Ctx } from "@/core/database/context";
import { levelIn } from "../levels/ladder";
import { ladderOf } from "../levels/list";
import { activeLevels } from "../licences/entitlement/entitlement";
import { accounts } from "../schema/accounts";
import { staff } from "../schema/staff";
import { inOrderOfIds, type RowFilter } from "./newest";

export const customerList = { at: accounts.createdAt, id: accounts.id };

export async function customersWith(ctx: Ctx, { staff: role }: DeskFilters<"customers">): Promise<RowFilter> {
  if (!role) return { conditions: [undefined] };
  const few = await ctx.store.db
    .select(customerList)
    .from(staff)
    .innerJoin(accounts, eq(accounts.id, staff.accountId))
    .where(eq(staff.role, role))
    .limit(mostStaff);
  return { conditions: [], few };
}

/** No shop has that many staff. */
const mostStaff = 1_000;

/** Accounts as the desk shows them, in the order of their ids. */
export async function customerRows(ctx: Ctx, ids: string[]): Promise<CustomerRow[]> {
  if (ids.length === 0) return [];
  const { id, username, email, emailConfirmedAt, createdAt, mfaEnabledAt } = accounts;
  const rows = await ctx.store.db
    .select({
      id,
      username,
      email,
      emailConfirmedAt,
      createdAt,
      mfaEnabledAt,
      levels: activeLevels(ctx, id, ctx.now()),
    })
    .from(accounts)
    .where(inArray(id, ids));
  const ladder = await ladderOf(ctx);
  return inOrderOfIds(ids, rows).map((row) => ({
    id: row.id,
    username: row.username,
    email: row.email,
    email_confirmed: row.emailConfirmedAt !== null,
    created_at: row.createdAt.toISOString(),
    two_factor: row.mfaEnabledAt !== null,
    active_license: row.levels.length > 0,
    level: levelIn(
      ladder,
      row.levels.map((level) => ({ level })),
    ),
  }));
}
