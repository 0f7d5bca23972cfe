import { and, asc, desc, eq, isNotNull, type SQL } from "drizzle-orm";
import { addressKey } from "@/contract/vocabulary/addresses";
import type { Ctx } from "@/core/database/context";
import { yieldToEventLoop } from "@/core/base/yield";
import { accounts } from "../../schema/accounts";
import { licences } from "../../schema/licences";
import { payments } from "../../schema/payments";

/** An email lists at most this many orders, the newest. */
const mostListed = 50;

/** The newest payments with an address, in any spelling, with their keys. */
export const paymentsOfEmail = (ctx: Ctx, email: string, also?: SQL) =>
  withKeys(ctx, and(eq(payments.emailKey, addressKey(email)), also));

/** The newest gifts to an address, in any spelling, with their keys. */
export const giftsToEmail = (ctx: Ctx, email: string, also?: SQL) =>
  withKeys(ctx, and(isNotNull(payments.giftKey), eq(payments.giftKey, addressKey(email)), also));

async function withKeys({ store: { db } }: Ctx, which: SQL | undefined) {
  const newest = await db
    .select({ id: payments.id })
    .from(payments)
    .where(which)
    .orderBy(desc(payments.createdAt))
    .limit(mostListed);
  const orders = [];
  for (const { id } of newest) {
    // in one snapshot: an email to a former address must not contain the keys that replaced those sent there
    const [[payment], keys] = await db.batch([
      db
        .select()
        .from(payments)
        .where(and(eq(payments.id, id), which)),
      db
        .select({ licence: licences, owner: accounts.username })
        .from(licences)
        .leftJoin(accounts, eq(accounts.id, licences.accountId))
        .where(eq(licences.paymentId, id))
        .orderBy(asc(licences.paymentIndex)),
    ]);
    if (payment) orders.push({ payment, keys });
    // an order may have a hundred keys
    await yieldToEventLoop();
  }
  return orders;
}
