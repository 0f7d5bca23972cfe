import { desc, eq } from "drizzle-orm";
import type { Ctx } from "@/core/context";
import { isEntitling } from "./entitlement";
import { keyOf } from "./issue";
import { type Licence, licences } from "../schema/licences";

export type OwnLicence = {
  key: string;
  type: string;
  active: boolean;
  disputed: boolean;
  redeemedAt: Date | null;
  expiresAt: Date | null;
};

/** An account's licences as they are stored, newest redemption first. */
export const licencesOfAccount = (ctx: Ctx, accountId: string): Promise<Licence[]> =>
  ctx.store.db
    .select()
    .from(licences)
    .where(eq(licences.accountId, accountId))
    .orderBy(desc(licences.redeemedAt), desc(licences.id));

/** An account's licences as their owner sees them, newest redemption first. */
export async function licencesOf(ctx: Ctx, accountId: string): Promise<OwnLicence[]> {
  const rows = await licencesOfAccount(ctx, accountId);
  return rows.map((row) => ({
    key: keyOf(ctx, row),
    type: row.type,
    active: isEntitling(ctx, row),
    disputed: row.paymentStanding === "disputed",
    redeemedAt: row.redeemedAt,
    expiresAt: row.expiresAt,
  }));
}
