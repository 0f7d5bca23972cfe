import { and, eq, isNotNull, notInArray, type SQL, sql } from "drizzle-orm";
import { mustNotExist, type Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { licences } from "../../schema/licences";
import { holdingOf } from "../entitlement/holding";
import { endWrites, type Held } from "../entitlement/holding";
import type { Whose } from "./member-changed";
import type { HeldLicence } from "../entitlement/time";

/**
 * Belongs in every commit that changes what a licence's time depends on: the writes that recompute the ends of every
 * account that owns a licence of `whose`. `become` gives each licence's state after the commit. The commit fails with
 * `conflict` if another one came in between, such as a redemption: see `retryOnConflict`.
 */
export async function timeChanged(
  ctx: Ctx,
  whose: Whose,
  become: (licence: Held) => HeldLicence,
): Promise<Write[]> {
  const owners = await ownersOf(ctx, whose);
  const holdings = await Promise.all(owners.map((accountId) => holdingOf(ctx, accountId)));
  return [
    ...noOtherOwner(ctx, whose, owners),
    // an erased account has left its licences without an owner
    ...holdings.flatMap((holding) =>
      holding ? endWrites(ctx, holding, holding.licences.map(become)).writes : [],
    ),
  ];
}

async function ownersOf({ store: { db } }: Ctx, whose: Whose): Promise<string[]> {
  if ("accountId" in whose) return [whose.accountId];
  const rows = await db.selectDistinct({ id: licences.accountId }).from(licences).where(isOwned(whose));
  return rows.flatMap(({ id }) => id ?? []);
}

/** Guards against a licence redeemed since the owners were read. */
function noOtherOwner({ store: { db } }: Ctx, whose: Whose, known: string[]): Write[] {
  if ("accountId" in whose) return [];
  const other = db
    .select({ one: sql`1` })
    .from(licences)
    .where(and(isOwned(whose), notInArray(licences.accountId, known)));
  return [mustNotExist(other, "conflict", {})];
}

const isOwned = (whose: { licenceId: string } | { paymentId: string }): SQL | undefined =>
  and(
    "licenceId" in whose ? eq(licences.id, whose.licenceId) : eq(licences.paymentId, whose.paymentId),
    isNotNull(licences.accountId),
  );
