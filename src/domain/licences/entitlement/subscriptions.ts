import { and, eq, inArray, isNotNull, notInArray, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { licences } from "../../schema/licences";
import { payments } from "../../schema/payments";
import { subscriptions } from "../../schema/subscriptions";

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
