import { and, asc, desc, eq, isNotNull, type SQL } from "drizzle-orm";
import { addressKey } from "@/contract/addresses";
import { commit } from "@/core/commit";
import { type Ctx, newId } from "@/core/context";
import type { LimitTable } from "@/core/limit-table";
import { spend } from "@/core/limits";
import { post } from "@/core/outbox";
import { Refusal } from "@/core/refusal";
import { accounts } from "../schema/accounts";
import { licences } from "../schema/licences";
import { payments } from "../schema/payments";

/** An email lists at most this many orders, the newest. */
const mostListed = 50;

/**
 * Queues a mail that lists what was bought with an address. The same rows and work for every address; only delivery
 * finds out whether there is anything to list. Silently does nothing for an address that was asked for too often.
 * The caller wakes the worker after answering.
 */
export async function askForOrders(ctx: Ctx, limits: LimitTable, email: string): Promise<void> {
  try {
    await spend(ctx, limits["find-orders-email"], addressKey(email));
  } catch (error) {
    if (error instanceof Refusal && error.code === "rate_limited") return;
    throw error;
  }
  // a person is waiting for it, possibly behind a rush of receipts
  const orders = post(ctx, { topic: "mail.orders", subject: newId(), payload: { email }, ahead: true });
  await commit(ctx.store, [orders], { wakes: false });
}

/** The newest payments with an address, in any spelling, with their keys. */
export const paymentsWith = (ctx: Ctx, email: string, also?: SQL) =>
  withKeys(ctx, and(eq(payments.emailKey, addressKey(email)), also));

/** The newest gifts to an address, in any spelling, with their keys. */
export const giftsTo = (ctx: Ctx, email: string, also?: SQL) =>
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
    // at one moment: no email to a former address may have the keys that replaced those that went there
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
    await new Promise(setImmediate);
  }
  return orders;
}
