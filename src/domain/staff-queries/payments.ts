import { toWire } from "@/contract/wire/to-wire";
import { and, eq, getTableColumns, gt, inArray, isNull, lte, ne, or, type SQL } from "drizzle-orm";
import { deskPaymentStatuses } from "@/contract/vocabulary/statuses";
import { type DeskFilters, rangeOf } from "@/contract/wire/desk/lists";
import { paymentRow, type PaymentRow } from "@/contract/wire/desk/rows";
import { day } from "@/contract/vocabulary/time";
import type { Ctx } from "@/core/database/context";
import type { Place } from "@/core/database/pages";
import { withoutIndex } from "@/core/database/without-index";
import { billOf } from "../bills/bill";
import { levelOf, offerOf } from "../payments/port/order-terms";
import { paymentOutcome, paymentsRedeemedBy } from "../payments/reading/payments";
import { accounts } from "../schema/accounts";
import { licences } from "../schema/licences";
import { type Payment, payments } from "../schema/payments";
import { everyCombination, inOrderOfIds, ofOffer, type RowFilter, withinRange } from "./newest";

export const paymentList = { at: payments.createdAt, id: payments.id };

export async function paymentsWith(ctx: Ctx, filters: DeskFilters<"payments">): Promise<RowFilter> {
  const { status, offer, customer } = filters;
  // the indexes of offers and accounts hold each state in a stretch of its own
  const every = offer || customer ? deskPaymentStatuses.map((one) => eq(payments.state, one)) : [undefined];
  const states = status ? inState(ctx, status) : every;
  const whose = [customer ? eq(payments.accountId, customer) : undefined];
  const range = [withinRange(payments.createdAt, rangeOf(filters))];
  const conditions = everyCombination(states, whose, [ofOffer(payments.offer, { offer, customer })], range);
  if (!customer) return { conditions };
  const fits = and(or(...states), ofOffer(payments.offer, { offer, customer }), ...range);
  return { conditions, few: await redeemedPlaces(ctx, customer, fits) };
}

/** Of so many payments, whose licences a customer redeemed, a list shows those that somebody else made. */
const mostRedeemed = 1_000;

async function redeemedPlaces(ctx: Ctx, customer: string, fits: SQL | undefined): Promise<Place[]> {
  const redeemed = await paymentsRedeemedBy(ctx, customer, mostRedeemed);
  if (redeemed.length === 0) return [];
  const { id, createdAt, accountId } = payments;
  const isOthers = or(isNull(accountId), ne(accountId, customer));
  return ctx.store.db
    .select({ id, at: createdAt })
    .from(payments)
    .where(and(inArray(id, redeemed), withoutIndex(and(isOthers, fits))));
}

/** As conditions. A checkout whose end Stripe never reported has expired. */
function inState(ctx: Ctx, status: PaymentRow["status"]): (SQL | undefined)[] {
  const { state, createdAt } = payments;
  const open = eq(state, "open");
  const begun = new Date(ctx.now().getTime() - day);
  if (status === "open") return everyCombination([open], [gt(createdAt, begun)]);
  if (status === "expired")
    return [eq(state, "expired"), ...everyCombination([open], [lte(createdAt, begun)])];
  return [eq(state, status)];
}

/** Payments as the desk shows them, in the order of their ids. */
export async function paymentRows(ctx: Ctx, ids: string[]): Promise<PaymentRow[]> {
  if (ids.length === 0) return [];
  const rows = await ctx.store.db
    .select({ ...getTableColumns(payments), username: accounts.username })
    .from(payments)
    .leftJoin(accounts, eq(accounts.id, payments.accountId))
    .where(inArray(payments.id, ids));
  const redeemers = await redeemersOf(
    ctx,
    rows.filter(({ accountId }) => accountId === null).map(({ id }) => id),
  );
  return inOrderOfIds(ids, rows).map((row) => wirePayment(ctx, row, redeemers.get(row.id) ?? null));
}

/** Whose account has the first licence of a guest's order. */
export async function redeemersOf({ store: { db } }: Ctx, guests: string[]) {
  if (guests.length === 0) return new Map<string, NonNullable<PaymentRow["redeemed_by"]>>();
  const { paymentId, paymentIndex, accountId } = licences;
  const rows = await db
    .select({ paymentId, id: accounts.id, username: accounts.username })
    .from(licences)
    .innerJoin(accounts, eq(accounts.id, accountId))
    .where(and(inArray(paymentId, guests), eq(paymentIndex, 0)));
  return new Map(rows.map((row) => [row.paymentId ?? "", { id: row.id, username: row.username }]));
}

const wirePayment = (
  ctx: Ctx,
  payment: Payment & { username: string | null },
  redeemedBy: PaymentRow["redeemed_by"],
): PaymentRow =>
  toWire(paymentRow, {
    ...payment,
    redeemedBy,
    paymentId: payment.intentId,
    status: statusOf(ctx, payment),
    email: payment.email || null,
    customer: customerOf(payment),
    offer: offerOf(payment).offer,
    level: levelOf(payment),
    bill: billOf(payment),
    dispute: disputeOf(payment),
  });

const statusOf = (ctx: Ctx, payment: Payment): PaymentRow["status"] =>
  payment.state === "open" && payment.createdAt.getTime() > ctx.now().getTime() - day
    ? "open"
    : paymentOutcome(payment).state;

const disputeOf = (payment: Payment): PaymentRow["dispute"] =>
  payment.disputeStatus === null
    ? null
    : {
        status: payment.disputeStatus,
        reason: payment.disputeReason,
        amount: payment.disputeAmount,
        currency: payment.disputeCurrency,
        since: payment.disputedAt?.toISOString() ?? null,
        due: payment.disputeAnswerBy?.toISOString() ?? null,
      };

/** The account of a row with its name; null if it was erased. */
export const customerOf = ({ accountId, username }: { accountId: string | null; username: string | null }) =>
  accountId !== null && username !== null ? { id: accountId, username } : null;
