import { and, desc, eq, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import type { Ctx } from "@/core/database/context";
import { isUnhindered } from "../../licences/entitlement/entitlement";
import { keyOf } from "../../licences/keys/issue";
import { readHoldings, useOf } from "../../licences/entitlement/holdings";
import { licences } from "../../schema/licences";
import { payments } from "../../schema/payments";
import { knownVersions, offerOf } from "../port/order-terms";

/** `name` is the offer's name at the purchase; `paymentId` is the id in the list of payments. */
export type UnusedKey = { key: string; name: string; days: number | null; paymentId: string };

/** The most purchases that we read, newest first, and the most keys that we list. */
const most = 100;

/**
 * The unredeemed keys that an account bought while signed in, gifts excepted; newest purchase first. Leaves out
 * those that would add nothing to what the account has, and days beside a running subscription.
 */
export async function unusedKeysOf(ctx: Ctx, accountId: string): Promise<UnusedKey[]> {
  const holdings = await readHoldings(ctx, accountId);
  const { db } = ctx.store;
  const bought = db
    .select({ id: payments.id })
    .from(payments)
    .where(and(eq(payments.accountId, accountId), isNotNull(payments.soldAt), isNull(payments.giftEmail)))
    .orderBy(desc(payments.soldAt))
    .limit(most);
  const rows = await db
    .select({ licence: licences, payment: payments })
    .from(payments)
    .innerJoin(licences, eq(licences.paymentId, payments.id))
    .where(
      and(
        sql`${payments.id} IN ${bought}`,
        isNull(licences.redeemedAt),
        isUnhindered(ctx),
        inArray(payments.sealVersion, knownVersions),
      ),
    )
    .orderBy(desc(payments.soldAt), licences.paymentIndex)
    .limit(most);
  const usable = rows.filter(({ licence }) => holdings && useOf(ctx, holdings, licence) === "adds");
  return usable.map(({ licence, payment }) => ({
    key: keyOf(ctx, licence),
    name: offerOf(payment).product,
    days: licence.days,
    paymentId: payment.intentId ?? payment.id,
  }));
}
