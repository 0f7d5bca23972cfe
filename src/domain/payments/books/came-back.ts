import { and, eq, exists, getTableColumns, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Ctx } from "@/core/database/context";
import { balanceMovements } from "../../schema/books";

/** The money of a payout that the bank refused, or that a person canceled, is back in the balance. */
export const cameBackKind = "payout_reversal";

export async function cameBack({ store: { db } }: Ctx, payout: string): Promise<boolean> {
  const { id, source, kind } = balanceMovements;
  const [back] = await db
    .select({ id })
    .from(balanceMovements)
    .where(and(eq(source, payout), eq(kind, cameBackKind)))
    .limit(1);
  return back !== undefined;
}

/** The columns of a movement. A payout that came back has paid out nothing. */
export function movementColumns({ store: { db } }: Ctx) {
  const back = alias(balanceMovements, "back");
  const { payoutId, payoutAt } = balanceMovements;
  const returned = exists(
    db
      .select({ id: back.id })
      .from(back)
      .where(and(eq(back.source, payoutId), eq(back.kind, cameBackKind))),
  );
  const unlessReturned = (column: typeof payoutId | typeof payoutAt): SQL =>
    sql`CASE WHEN ${returned} THEN NULL ELSE ${column} END`;
  return {
    ...getTableColumns(balanceMovements),
    payoutId: unlessReturned(payoutId).mapWith(payoutId) as SQL<string | null>,
    payoutAt: unlessReturned(payoutAt).mapWith(payoutAt) as SQL<Date | null>,
  };
}
