import { and, eq, inArray, isNotNull, notInArray, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Write } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { accounts } from "../schema/accounts";
import { licences } from "../schema/licences";
import { payments } from "../schema/payments";
import { subscriptions } from "../schema/subscriptions";
import { isEntitling } from "./entitlement";
import { type Held, holdingOf } from "./holding";

/** The plus keeps SQLite off the indexes of accounts, which hold every guest's. */
const isGuests = (column: SQLiteColumn) => sql`+${column} IS NULL`;

/**
 * Makes the subscription that a guest bought their account's, with its renewals, once they redeem its key: the account
 * has the address that the key was mailed to. Somebody who was given the key gets the licence alone.
 */
export function ownSubscription({ store: { db } }: Ctx, licenceId: string, accountId: string): Write[] {
  const bought = db
    .select({ id: payments.id, subscription: payments.subscription })
    .from(licences)
    .innerJoin(payments, eq(payments.id, licences.primaryPaymentId))
    .innerJoin(accounts, eq(accounts.id, accountId))
    .where(
      and(
        eq(licences.id, licenceId),
        isNotNull(payments.subscription),
        eq(payments.emailKey, accounts.emailKey),
      ),
    )
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

/** Whether one of these licences is of a subscription that renews, or was cancelled and still runs: days would be lost. */
export async function holdsSubscription(ctx: Ctx, held: Held[]): Promise<boolean> {
  const own = held.filter(({ paidUntil }) => paidUntil !== null);
  if (own.some((one) => isEntitling(ctx, one))) return true;
  const paid = own.flatMap(({ paymentId }) => paymentId ?? []);
  if (paid.length === 0) return false;
  const rows = await ctx.store.db
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(
      and(inArray(subscriptions.id, paid), inArray(subscriptions.status, ["trialing", "active", "past_due"])),
    )
    .limit(1);
  return rows.length > 0;
}

/** {@link holdsSubscription} of an account whose licences are not read. */
export async function readHoldsSubscription(ctx: Ctx, accountId: string): Promise<boolean> {
  const holding = await holdingOf(ctx, accountId);
  return holding !== null && holdsSubscription(ctx, holding.licences);
}
