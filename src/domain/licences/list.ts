import { desc, eq } from "drizzle-orm";
import type { Ctx } from "@/core/context";
import { isEntitling } from "./entitlement";
import { keyOf } from "./issue";
import { licences } from "../schema/licences";

export type OwnLicence = {
  key: string;
  type: string;
  active: boolean;
  disputed: boolean;
  redeemedAt: Date | null;
  expiresAt: Date | null;
};

/** An account's licences, newest redemption first. */
export async function licencesOf(ctx: Ctx, accountId: string): Promise<OwnLicence[]> {
  const rows = await ctx.store.db
    .select()
    .from(licences)
    .where(eq(licences.accountId, accountId))
    .orderBy(desc(licences.redeemedAt), desc(licences.id));
  return rows.map((row) => ({
    key: keyOf(ctx, row),
    type: row.type,
    active: isEntitling(ctx, row),
    disputed: row.paymentStanding === "disputed",
    redeemedAt: row.redeemedAt,
    expiresAt: row.expiresAt,
  }));
}
