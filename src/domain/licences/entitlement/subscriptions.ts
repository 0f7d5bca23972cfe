import { and, eq, inArray, isNotNull, notInArray, or, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { type Licence, licences } from "../../schema/licences";
import { payments } from "../../schema/payments";
import { subscriptions } from "../../schema/subscriptions";
import { entitles } from "./entitlement";

/** The plus keeps SQLite off the indexes of accounts, which hold every guest's. */
const isGuests = (column: SQLiteColumn) => sql`+${column} IS NULL`;

/**
 * Makes the subscription that a guest bought their account's, with its renewals, once they have redeemed its key in the
 * browser that bought it. Somebody who was given the key gets the licence alone.
 */
export function adoptSubscription({ store: { db } }: Ctx, licenceId: string, accountId: string): Write[] {
  const bought = db
    .select({ id: payments.id, subscription: payments.subscription })
    .from(licences)
    .innerJoin(payments, eq(payments.id, licences.primaryPaymentId))
    .where(and(eq(licences.id, licenceId), licences.redeemedByBuyer, isNotNull(payments.subscription)))
    .as("bought");
  return [
    db
      .update(subscriptions)
      .set({ accountId, version: sql`${subscriptions.version} + 1` })
      .where(
        and(
          isGuests(subscriptions.accountId),
          inArray(subscriptions.id, db.select({ id: bought.id }).from(bought)),
        ),
      ),
    db
      .update(payments)
      .set({ accountId })
      .where(
        and(
          isGuests(payments.accountId),
          inArray(payments.subscription, db.select({ subscription: bought.subscription }).from(bought)),
          notInArray(payments.id, db.select({ id: bought.id }).from(bought)),
        ),
      ),
  ];
}

/** Whether an account's subscription still runs, renewing or cancelled: days added meanwhile would be lost. */
export async function holdsSubscription(ctx: Ctx, accountId: string): Promise<boolean> {
  const rows = await ctx.store.db
    .select({ id: licences.id })
    .from(licences)
    .leftJoin(subscriptions, eq(subscriptions.id, licences.primaryPaymentId))
    .where(
      and(
        eq(licences.accountId, accountId),
        isNotNull(licences.paidUntil),
        or(entitles(ctx, ctx.now()), inArray(subscriptions.status, ["trialing", "active", "past_due"])),
      ),
    )
    .limit(1);
  return rows.length > 0;
}

/** Whether the keys that an account could add must wait for the end of its subscription, because all are for days. */
export const keysMustWait = async (
  ctx: Ctx,
  accountId: string,
  keys: Pick<Licence, "days">[],
): Promise<boolean> =>
  keys.length > 0 && keys.every(({ days }) => days !== null) && (await holdsSubscription(ctx, accountId));
