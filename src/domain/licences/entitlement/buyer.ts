import { and, eq, inArray, isNotNull, or, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Ctx } from "@/core/database/context";
import { accounts } from "../../schema/accounts";
import { licences } from "../../schema/licences";
import { payments } from "../../schema/payments";
import { subscriptions } from "../../schema/subscriptions";

type Db = Ctx["store"]["db"];

/** The lookup key of an account's confirmed address; one that was only typed identifies nobody. */
export const confirmedKeyOf = (db: Db, accountId: string) =>
  db
    .select({ key: accounts.emailKey })
    .from(accounts)
    .where(and(eq(accounts.id, accountId), isNotNull(accounts.emailConfirmedAt)));

/** As a condition on first orders: an account was signed in, or has confirmed the address. */
export const orderedBy = (db: Db, accountId: string): SQL | undefined =>
  or(eq(payments.accountId, accountId), hasAddress(db, accountId));

const hasAddress = (db: Db, accountId: string) => inArray(payments.emailKey, confirmedKeyOf(db, accountId));

/**
 * As a condition on subscriptions: an account is the buyer, who sees and changes what is billed. It was signed in, or
 * redeemed the key in the buying browser, or has confirmed the address of the first order. Somebody who was given the
 * key may not touch another's card.
 */
export const boughtBy = (db: Db, accountId: string): SQL | undefined =>
  isBuyers(db, accountId, hasAddress(db, accountId));

/**
 * As a condition on subscriptions: an account bought one itself, signed in or in the browser in which it redeemed the key.
 * Anybody can type its address into an order, so that only this stands in the way of another.
 */
export const boughtItself = (db: Db, accountId: string): SQL | undefined =>
  or(eq(subscriptions.accountId, accountId), inArray(subscriptions.id, inBuyingBrowser(db, accountId)));

/** {@link boughtBy} for the account of the surrounding query. */
export const boughtByAccount = (db: Db): SQL | undefined =>
  isBuyers(
    db,
    accounts.id,
    and(eq(payments.emailKey, accounts.emailKey), isNotNull(accounts.emailConfirmedAt)),
  );

const inBuyingBrowser = (db: Db, account: string | SQLiteColumn) =>
  db
    .select({ id: licences.primaryPaymentId })
    .from(licences)
    .where(and(eq(licences.accountId, account), isNotNull(licences.paidUntil), licences.redeemedByBuyer));

function isBuyers(db: Db, account: string | SQLiteColumn, hasTheirs: SQL | undefined): SQL | undefined {
  const atAddress = db.select({ id: payments.id }).from(payments).where(hasTheirs);
  return or(
    eq(subscriptions.accountId, account),
    inArray(subscriptions.id, inBuyingBrowser(db, account)),
    inArray(subscriptions.id, atAddress),
  );
}
