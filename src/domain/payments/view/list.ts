import { and, desc, eq, exists, inArray, isNotNull, isNull, lte, ne, or, type SQL, sql } from "drizzle-orm";
import { day } from "@/contract/time";
import type { Ctx } from "@/core/context";
import { olderThan, type Place } from "@/core/pages";
import { licencesSoldBy } from "../../licences/sold";
import { licences } from "../../schema/licences";
import { billOf } from "../../bills/bill";
import { type Payment, payments, type PaymentState, paymentStates } from "../../schema/payments";
import { offerOf } from "../checkout/order-terms";
import { visibleTo } from "./redaction";

/**
 * As a condition on one payment: an account made it while signed in, or redeemed a licence of it. A typed email says
 * nothing about ownership and is never matched. To list an account's payments, {@link newestPayments} is faster.
 */
export const belongsTo = ({ store: { db } }: Ctx, accountId: string): SQL | undefined =>
  or(
    eq(payments.accountId, accountId),
    exists(
      db
        .select({ one: sql`1` })
        .from(licences)
        .where(and(eq(licences.paymentId, payments.id), eq(licences.accountId, accountId))),
    ),
  );

/** How many keys of a payment its row shows. */
const keysOfARow = 10;

type Asked = {
  /** The place after which the page begins; null for the newest. */
  after: Place | null;
  most: number;
  /** The most keys of each; all are told by its own page. */
  keys?: number;
};

export type ListedPayment = Awaited<ReturnType<typeof paymentsOf>>[number];

/** A page of an account's payments that have an outcome, newest first. */
export async function paymentsOf(ctx: Ctx, accountId: string, { keys = keysOfARow, ...page }: Asked) {
  const rows = await newestPayments(ctx, accountId, page);
  const sold = await licencesSoldBy(
    ctx,
    rows.map(({ id }) => id),
    keys,
  );
  return rows.map((payment) => {
    const own = sold.get(payment.id) ?? [];
    return {
      ...payment,
      ...visibleTo(ctx, payment, own, { accountId, browserHashes: [] }),
      moreKeys: own.length === keys ? payment.quantity - own.length : 0,
      bill: billOf(payment),
      ...offerOf(payment),
      ...outcomeOf(payment),
    };
  });
}

/**
 * An account's newest payments that have an outcome: those that it made while signed in, and those whose licence it
 * redeemed. Each kind is read in the order of an index, so that it takes as long whatever an account bought.
 */
export async function newestPayments(
  ctx: Ctx,
  accountId: string,
  { after, most }: Pick<Asked, "after" | "most">,
): Promise<Payment[]> {
  const { db } = ctx.store;
  const [made, redeemed] = await Promise.all([
    db
      .select()
      .from(payments)
      .where(
        and(
          eq(payments.accountId, accountId),
          hasOutcome(ctx),
          olderThan(after, payments.createdAt, payments.id),
        ),
      )
      .orderBy(desc(payments.createdAt), desc(payments.id))
      .limit(most),
    db
      .select()
      .from(payments)
      .where(and(inArray(payments.id, redeemedBy(ctx, accountId, { after, most })), hasOutcome(ctx))),
  ]);
  const all = new Map([...made, ...redeemed].map((payment) => [payment.id, payment]));
  return [...all.values()].toSorted(newestFirst).slice(0, most);
}

/** The ids of the newest payments whose licence an account redeemed. */
function redeemedBy(
  { store: { db } }: Ctx,
  accountId: string,
  { after, most }: Pick<Asked, "after" | "most">,
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

const newestFirst = (one: Payment, other: Payment): number =>
  other.createdAt.getTime() - one.createdAt.getTime() || (other.id < one.id ? -1 : 1);

/** How long a checkout can be paid: Stripe's own limit. */
const checkoutMilliseconds = day;

/** As a condition: Stripe told the end of the checkout, or can tell none any more. */
const hasOutcome = (ctx: Ctx): SQL | undefined =>
  or(
    ne(payments.state, "open"),
    lte(payments.createdAt, new Date(ctx.now().getTime() - checkoutMilliseconds)),
  );

/** What a payment that has an outcome is listed as: a checkout that never told its end has expired. */
export function outcomeOf({ state: stored, failureReason }: Payment): {
  state: Exclude<PaymentState, "open">;
  failureReason: string | null;
} {
  // what only a newer release knows is not over
  const state = paymentStates.find((known) => known === stored) ?? "processing";
  return state === "open"
    ? { state: "expired", failureReason: "The checkout expired before it was paid." }
    : { state, failureReason };
}

/** The newest of an account's own payments of which something is left to refund; see {@link ownPurchase}. */
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

/** One of an account's own payments, by its id. */
export async function ownPurchase(ctx: Ctx, accountId: string, paymentId: string): Promise<Payment | null> {
  const [payment] = await ctx.store.db
    .select()
    .from(payments)
    .where(and(eq(payments.id, paymentId), isOwnPurchase(ctx, accountId)));
  return payment ?? null;
}

const forOneself = and(isNull(payments.giftEmail), eq(payments.quantity, 1));

/**
 * As a condition on one payment: it gave a licence and is the account's own, made while signed in or for the one licence that it
 * redeemed. A gift, or one key of several, was paid by somebody else.
 */
const isOwnPurchase = (ctx: Ctx, accountId: string): SQL | undefined =>
  and(
    isNotNull(payments.soldAt),
    belongsTo(ctx, accountId),
    or(eq(payments.accountId, accountId), forOneself),
  );

/** Money that a dispute holds can't be refunded, and an order that cost nothing has no payment intent. */
const isRefundable = and(
  // with a plus, or SQLite would go through all payments in that state (https://sqlite.org/optoverview.html)
  sql`+${payments.state} = 'succeeded'`,
  isNotNull(payments.intentId),
  sql`coalesce(${payments.paidAmount}, ${payments.unitAmount}) > ${payments.refundedAmount}`,
);
