import {
  and,
  desc,
  eq,
  exists,
  inArray,
  isNotNull,
  isNull,
  lte,
  ne,
  or,
  type SQL,
  type SQLWrapper,
  sql,
} from "drizzle-orm";
import { deskPaymentStatuses } from "@/contract/vocabulary/statuses";
import { day } from "@/contract/vocabulary/time";
import type { Ctx } from "@/core/database/context";
import { olderThan, type Place } from "@/core/database/pages";
import { licencesSoldBy } from "../../licences/entitlement/sold";
import { licences } from "../../schema/licences";
import { billOf } from "../../bills/bill";
import { subscriptions } from "../../schema/subscriptions";
import { isRenewal, type Payment, payments, type PaymentState } from "../../schema/payments";
import { levelOf, offerOf } from "../port/order-terms";
import { subscriptionsPaidBy } from "./subscriptions";
import { visibleTo } from "./redaction";

/**
 * As a condition on one payment: an account made it while signed in, or redeemed a licence of it. A typed email proves
 * no ownership and never matches. To list an account's payments, {@link newestPayments} is faster.
 */
const belongsTo = ({ store: { db } }: Ctx, accountId: string): SQL | undefined =>
  or(
    eq(payments.accountId, accountId),
    exists(
      db
        .select({ one: sql`1` })
        .from(licences)
        .where(and(eq(licences.paymentId, payments.id), eq(licences.accountId, accountId))),
    ),
  );

/** As a condition on one payment: it renewed a subscription whose key an account redeemed, which itself paid for none. */
const renewsFor = ({ store: { db } }: Ctx, accountId: string): SQL =>
  inArray(
    payments.subscription,
    db
      .select({ id: subscriptions.stripeId })
      .from(subscriptions)
      .innerJoin(licences, eq(licences.primaryPaymentId, subscriptions.id))
      .where(and(eq(licences.accountId, accountId), isNotNull(licences.paidUntil))),
  );

/** As a condition on one payment: it is in an account's list. */
export const isListedFor = (ctx: Ctx, accountId: string): SQL | undefined =>
  or(belongsTo(ctx, accountId), renewsFor(ctx, accountId));

/** How many keys of a payment its row shows. */
const keysOfARow = 10;

type PaymentPage = {
  /** The page begins after this place; null for the newest. */
  after: Place | null;
  most: number;
  /** The most keys of each payment; the payment's own page lists all. */
  keys?: number;
};

export type ListedPayment = Awaited<ReturnType<typeof paymentsOfAccount>>[number];

/** A page of an account's payments that have an outcome, newest first. */
export async function paymentsOfAccount(
  ctx: Ctx,
  accountId: string,
  { keys = keysOfARow, ...page }: PaymentPage,
) {
  const rows = await newestPayments(ctx, accountId, page);
  const sold = await licencesSoldBy(
    ctx,
    rows.map(({ id }) => id),
    keys,
  );
  const paidFor = await subscriptionsPaidBy(ctx, rows, accountId);
  return rows.map((payment) => {
    const own = sold.get(payment.id) ?? [];
    const subscription = paidFor.get(payment.subscription ?? "") ?? null;
    const viewer = { accountId, browserHashes: [], buysSubscription: subscription?.isBuyers ?? false };
    return {
      ...payment,
      ...visibleTo(ctx, payment, own, viewer),
      moreKeys: own.length === keys ? payment.quantity - own.length : 0,
      bill: billOf(payment),
      ...offerOf(payment),
      soldAs: levelOf(payment),
      ...paymentOutcome(payment),
      subscriptionId: subscription?.id ?? null,
      renewal: isRenewal(payment),
    };
  });
}

/**
 * An account's newest payments that have an outcome: those that it made while signed in, those whose licence it redeemed,
 * and their renewals. Reads orders in that of an index, so that the time does not grow with an account's purchases.
 */
export async function newestPayments(
  ctx: Ctx,
  accountId: string,
  { after, most }: Pick<PaymentPage, "after" | "most">,
): Promise<Payment[]> {
  const { db } = ctx.store;
  const isOlder = olderThan(after, payments.createdAt, payments.id);
  const [made, renewals] = await db.batch([
    db
      .select()
      .from(payments)
      .where(and(eq(payments.accountId, accountId), hasOutcome(ctx), isOlder))
      .orderBy(desc(payments.createdAt), desc(payments.id))
      .limit(most),
    // a few a year: no index has them in order
    db
      .select({ id: payments.id, createdAt: payments.createdAt })
      .from(payments)
      .where(and(renewsFor(ctx, accountId), hasOutcome(ctx), isOlder)),
  ]);
  const renewed = renewals.toSorted(newestFirst).slice(0, most);
  const named = (ids: SQLWrapper | string[]) =>
    db
      .select()
      .from(payments)
      .where(and(inArray(payments.id, ids), hasOutcome(ctx)));
  const others = await Promise.all([
    named(redeemedBy(ctx, accountId, { after, most })),
    renewed.length === 0 ? [] : named(renewed.map(({ id }) => id)),
  ]);
  const all = new Map([...made, ...others.flat()].map((payment) => [payment.id, payment]));
  return [...all.values()].toSorted(newestFirst).slice(0, most);
}

/** The ids of payments whose licence an account redeemed, newest first, and of their renewals: at most `most` of each. */
export async function paymentsRedeemedBy(ctx: Ctx, accountId: string, most: number): Promise<string[]> {
  const { db } = ctx.store;
  const found = await db.batch([
    redeemedBy(ctx, accountId, { after: null, most }),
    db.select({ id: payments.id }).from(payments).where(renewsFor(ctx, accountId)).limit(most),
  ]);
  return found.flat().map(({ id }) => id);
}

/** The ids of the newest payments whose licence an account redeemed. */
function redeemedBy(
  { store: { db } }: Ctx,
  accountId: string,
  { after, most }: Pick<PaymentPage, "after" | "most">,
) {
  const { orderedAt, paymentId } = licences;
  return db
    .selectDistinct({ id: sql<string>`${paymentId}` })
    .from(licences)
    .where(
      and(eq(licences.accountId, accountId), isNotNull(orderedAt), olderThan(after, orderedAt, paymentId)),
    )
    .orderBy(desc(orderedAt), desc(paymentId))
    .limit(most);
}

type PaymentPlace = Pick<Payment, "id" | "createdAt">;
const newestFirst = (one: PaymentPlace, other: PaymentPlace): number =>
  other.createdAt.getTime() - one.createdAt.getTime() || (other.id < one.id ? -1 : 1);

/** How long a buyer can pay a checkout: Stripe's own limit. */
const checkoutMilliseconds = day;

/** As a condition: Stripe reported the end of the checkout, or can no longer report one. */
const hasOutcome = (ctx: Ctx): SQL | undefined =>
  or(
    ne(payments.state, "open"),
    lte(payments.createdAt, new Date(ctx.now().getTime() - checkoutMilliseconds)),
  );

/** A state that only a newer release knows is not final. */
export const knownPaymentState = (stored: PaymentState): PaymentState =>
  deskPaymentStatuses.find((known) => known === stored) ?? "processing";

/** The listed outcome of a payment: a checkout whose end Stripe never reported has expired. */
export function paymentOutcome({ state: stored, failureReason }: Payment): {
  state: Exclude<PaymentState, "open">;
  failureReason: string | null;
} {
  const state = knownPaymentState(stored);
  return state === "open"
    ? { state: "expired", failureReason: "The checkout expired before it was paid." }
    : { state, failureReason };
}

/** The newest of an account's own payments with something left to refund; see {@link ownPurchase}. */
export async function refundablePaymentOf(ctx: Ctx, accountId: string): Promise<Payment | null> {
  const { db } = ctx.store;
  const [[made], [redeemed]] = await Promise.all([
    db
      .select()
      .from(payments)
      .where(and(eq(payments.accountId, accountId), isNotNull(payments.soldAt), isRefundable))
      .orderBy(desc(payments.createdAt), desc(payments.id))
      .limit(1),
    db
      .select({ payment: payments })
      .from(licences)
      .innerJoin(payments, eq(payments.id, licences.paymentId))
      .where(
        and(
          eq(licences.accountId, accountId),
          isNotNull(licences.orderedAt),
          isNotNull(payments.soldAt),
          forOneself,
          isRefundable,
        ),
      )
      .orderBy(desc(licences.orderedAt), desc(licences.paymentId))
      .limit(1),
  ]);
  const [newest] = [made, redeemed?.payment].filter((one) => one !== undefined).toSorted(newestFirst);
  return newest ?? null;
}

/** An account's own payment, by id. */
export async function ownPurchase(ctx: Ctx, accountId: string, paymentId: string): Promise<Payment | null> {
  const [payment] = await ctx.store.db
    .select()
    .from(payments)
    .where(and(eq(payments.id, paymentId), isOwnPurchase(ctx, accountId)));
  return payment ?? null;
}

const forOneself = and(isNull(payments.giftEmail), eq(payments.quantity, 1));

/**
 * As a condition on one payment: it gave a licence and is the account's own, made while signed in or for the only
 * licence, which the account redeemed. Somebody else paid for a gift, or for one key of a larger order.
 */
const isOwnPurchase = (ctx: Ctx, accountId: string): SQL | undefined =>
  and(
    isNotNull(payments.soldAt),
    belongsTo(ctx, accountId),
    or(eq(payments.accountId, accountId), forOneself),
  );

/** Stripe can't refund money that a dispute holds, and a free order has no payment intent. */
const isRefundable = and(
  // the plus keeps SQLite from reading all payments in that state (https://sqlite.org/optoverview.html)
  sql`+${payments.state} = 'succeeded'`,
  isNotNull(payments.intentId),
  sql`${payments.paidAmount} > ${payments.refundedAmount}`,
);
