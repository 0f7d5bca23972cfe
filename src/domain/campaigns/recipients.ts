import { and, asc, eq, exists, gt, isNotNull, lt, lte, notExists, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Ctx } from "@/core/database/context";
import { second } from "@/contract/vocabulary/time";
import { yieldToEventLoop } from "@/core/base/yield";
import { isEntitled } from "../licences/entitlement/entitlement";
import { provenEmail } from "../accounts/sessions/account";
import { accounts } from "../schema/accounts";
import type { announcements } from "../schema/announcements";
import { licences } from "../schema/licences";
import { payments } from "../schema/payments";
import { unsubscribedAmong, unsubscribedSince } from "./unsubscribe";

/*
 * Customers are all accounts and, after them, all other buyers. The first payment that sold something to an address
 * identifies a buyer without an account.
 */

type Audience = Pick<typeof announcements.$inferSelect, "licensedOnly" | "offer">;
type RemainingAudience = Audience & Pick<typeof announcements.$inferSelect, "cursor" | "createdAt">;

/** The next customers, in order. */
type Page = {
  /** Where the next page starts; null after the last. */
  next: string | null;
  /** How many customers the page considered. */
  customers: number;
  /** The ids of the recipients: accounts or payments. */
  recipients: string[];
};

/** Customers per commit; a local write stops every request while it runs. */
const pageSize = 200;
/** In a cursor, precedes the id of a payment; an account's id has no prefix. */
const buyers = "payment:";

export const nextPage = (ctx: Ctx, audience: RemainingAudience): Promise<Page> =>
  audience.cursor.startsWith(buyers) ? pageOfBuyers(ctx, audience) : pageOfAccounts(ctx, audience);

async function pageOfAccounts(
  ctx: Ctx,
  { cursor, createdAt, licensedOnly, offer }: RemainingAudience,
): Promise<Page> {
  const { db } = ctx.store;
  const page = await db
    .select({ id: accounts.id })
    .from(accounts)
    .where(gt(accounts.id, cursor))
    .orderBy(asc(accounts.id))
    .limit(pageSize);
  const last = page.at(-1)?.id ?? cursor;
  const recipients = await db
    .select({ id: accounts.id, email: accounts.email })
    .from(accounts)
    .where(
      and(
        gt(accounts.id, cursor),
        lte(accounts.id, last),
        lte(accounts.createdAt, createdAt),
        isNotNull(accounts.emailConfirmedAt),
        licensedOnly ? isEntitled(ctx, accounts.id, ctx.now()) : undefined,
        offer === null ? undefined : isCustomerOf(ctx, offer),
      ),
    );
  // only accounts have active licences
  const after = licensedOnly ? null : buyers;
  return {
    next: page.length < pageSize ? after : last,
    customers: page.length,
    recipients: await subscribedAddresses(ctx, recipients),
  };
}

async function pageOfBuyers(ctx: Ctx, { cursor, createdAt, offer }: RemainingAudience): Promise<Page> {
  const { db } = ctx.store;
  const after = cursor.slice(buyers.length);
  const page = await db
    .select({ id: payments.id })
    .from(payments)
    .where(gt(payments.id, after))
    .orderBy(asc(payments.id))
    .limit(pageSize);
  const last = page.at(-1)?.id ?? after;
  const isWanted = hasOrder(ctx, isSameAddress, offer);
  const found = await db
    .select({ id: payments.id, email: payments.email, isWanted: sql`${isWanted}`.mapWith(Boolean) })
    .from(payments)
    .where(
      and(gt(payments.id, after), lte(payments.id, last), lte(payments.soldAt, createdAt), isBuyer(ctx)),
    );
  return {
    next: page.length < pageSize ? null : `${buyers}${last}`,
    customers: found.length,
    recipients: await subscribedAddresses(
      ctx,
      found.filter((buyer) => buyer.isWanted),
    ),
  };
}

/** The ids of customers whose address has not unsubscribed. */
async function subscribedAddresses(
  ctx: Ctx,
  some: { id: string; email: string | null }[],
): Promise<string[]> {
  const refused = await unsubscribedAmong(
    ctx,
    some.flatMap(({ email }) => email ?? []),
  );
  return some.filter(({ email }) => email !== null && !refused.has(email)).map(({ id }) => id);
}

/** The recipient's address; null if the recipient is gone or has unsubscribed. */
export async function recipientAddress(
  ctx: Ctx,
  id: string,
): Promise<{ email: string; isBuyer: boolean } | null> {
  const { db } = ctx.store;
  const [account] = await db.select().from(accounts).where(eq(accounts.id, id));
  const [payment] = account ? [] : await db.select().from(payments).where(eq(payments.id, id));
  const email = account ? provenEmail(account) : payment?.email;
  if (!email || (await unsubscribedSince(ctx, email))) return null;
  return { email, isBuyer: !account };
}

/** Payments other than that of the surrounding query. */
const orders = alias(payments, "orders");
const isSameAddress = eq(orders.emailKey, payments.emailKey);

/** As a condition on `payments`: the first that sold something to an address without an account. */
function isBuyer(ctx: Ctx): SQL | undefined {
  const { db } = ctx.store;
  const one = { one: sql`1` };
  const account = db
    .select(one)
    .from(accounts)
    .where(and(eq(accounts.emailKey, payments.emailKey), isNotNull(accounts.emailConfirmedAt)));
  const earlier = db
    .select(one)
    .from(orders)
    .where(and(isSameAddress, isNotNull(orders.soldAt), lt(orders.id, payments.id)));
  const redeemed = db
    .select(one)
    .from(licences)
    .innerJoin(accounts, eq(accounts.id, licences.accountId))
    .where(and(eq(licences.paymentId, payments.id), isNotNull(accounts.emailConfirmedAt)));
  return and(
    isNotNull(payments.soldAt),
    isNotNull(payments.email),
    eq(payments.livemode, ctx.livemode),
    // the plus keeps SQLite from reading all orders without an account for each page
    // (https://sqlite.org/optoverview.html)
    sql`+${payments.accountId} IS NULL`,
    notExists(account),
    notExists(earlier),
    // a buyer who redeemed their only key has an account with another address; a gift's key belongs to its receiver
    or(gt(payments.quantity, 1), isNotNull(payments.giftEmail), notExists(redeemed)),
    hasOrder(ctx, isSameAddress, null),
  );
}

/** As a condition on `accounts`: it holds a licence that the offer sold, or bought the offer. */
const isCustomerOf = (ctx: Ctx, offer: string): SQL | undefined =>
  or(
    exists(
      ctx.store.db
        .select({ one: sql`1` })
        .from(licences)
        .innerJoin(payments, eq(payments.id, licences.paymentId))
        .where(and(eq(licences.accountId, accounts.id), eq(payments.offer, offer))),
    ),
    hasOrder(ctx, eq(orders.accountId, accounts.id), offer),
    hasOrder(ctx, eq(orders.emailKey, accounts.emailKey), offer),
  );

/** Whether a payment of `which` is paid, and neither refunded nor disputed. */
const hasOrder = (ctx: Ctx, which: SQL, offer: string | null): SQL =>
  exists(
    ctx.store.db
      .select({ one: sql`1` })
      .from(orders)
      .where(
        and(
          which,
          eq(orders.state, "succeeded"),
          eq(orders.livemode, ctx.livemode),
          offer === null ? undefined : eq(orders.offer, offer),
        ),
      ),
  );

/** `more`: there are more than `customers`, because counting took too long. */
export type CustomerCount = { customers: number; recipients: number; more: boolean };

/** The longest that a person waits for the count. */
const countTimeout = 2 * second;

/**
 * How many customers there are, and how many of them an announcement would go to: a page at a time, so that requests run
 * in between.
 */
export async function countCustomers(
  ctx: Ctx,
  audience: Audience,
  within = countTimeout,
): Promise<CustomerCount> {
  const begun = performance.now();
  const total: CustomerCount = { customers: 0, recipients: 0, more: false };
  for (let cursor: string | null = ""; cursor !== null;) {
    const page = await nextPage(ctx, { ...audience, cursor, createdAt: ctx.now() });
    total.customers += page.customers;
    total.recipients += page.recipients.length;
    cursor = page.next;
    if (cursor !== null && performance.now() - begun > within) return { ...total, more: true };
    await yieldToEventLoop();
  }
  return total;
}
