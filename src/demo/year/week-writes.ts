import { addressKey } from "@/contract/vocabulary/addresses";
import type { Write } from "@/core/database/commit";
import { newApiKey } from "@/domain/accounts/sessions/api-key";
import { endsRule } from "@/domain/licences/entitlement/account-licences";
import { accounts } from "@/domain/schema/accounts";
import { licences } from "@/domain/schema/licences";
import { paymentEvidence, payments } from "@/domain/schema/payments";
import { disputes, stripeRefunds } from "@/domain/schema/money-back";
import { refunds } from "@/domain/schema/refunds";
import { tokenHash } from "@/core/secrets/secrets";
import { insertAll } from "./insert";
import { isProposed, logWeek, proposedBeforeSeconds, refundId } from "./log";
import { changedAt, evidenceRows, licenceRows, paymentRow } from "./payment-rows";
import type { PastCustomer, PastOrder } from "./plan";
import { moment, orderId, type PastShop, sumsOf } from "./shop";
import { ticketWrites } from "./ticket-rows";

/** All rows of a week. Accounts come first: those of the week redeem its licences. */
export function weekWrites(shop: PastShop, number: number): Write[] {
  const week = shop.year.weeks[number];
  if (!week) return [];
  const { orders, customers, tickets } = week;
  const rows = <R>(rowsOf: (shop: PastShop, order: PastOrder) => R | R[]) =>
    orders.flatMap((order) => rowsOf(shop, order));
  const registered = customers.map((customer) => accountRow(shop, customer));
  return [
    ...insertAll(accounts, registered),
    ...insertAll(payments, rows(paymentRow)),
    ...insertAll(paymentEvidence, rows(evidenceRows)),
    ...insertAll(licences, rows(licenceRows)),
    ...insertAll(refunds, rows(refundRows)),
    // as settling stores them, so that the figures count the year
    ...insertAll(stripeRefunds, rows(stripeRefundRows)),
    ...insertAll(disputes, rows(disputeRows)),
    ...tickets.flatMap((ticket) => ticketWrites(shop, ticket)),
    ...logWeek(shop, number, week),
  ];
}

function accountRow({ ctx, passwordHash }: PastShop, { id, username, email, joinedAt }: PastCustomer) {
  const createdAt = moment(joinedAt);
  return {
    id,
    username,
    usernameKey: username,
    email,
    emailKey: addressKey(email),
    emailConfirmedAt: createdAt,
    passwordHash,
    ...newApiKey(ctx, id).stored,
    timezone: "UTC",
    createdAt,
    licenceVersion: 1,
    endsRule: endsRule(ctx),
    changed: changedAt(createdAt),
  };
}

function refundRows(shop: PastShop, order: PastOrder): (typeof refunds.$inferInsert)[] {
  const { refund } = order;
  if (!refund) return [];
  const { olga, sam } = shop.staff;
  const id = refundId(order);
  const decidedAt = moment(refund.at - 1);
  return [
    {
      id,
      paymentId: orderId(order),
      amount: sumsOf(shop, order).refunded,
      state: "made",
      request: tokenHash(id),
      reason: refund.reason,
      askedBy: isProposed(order) ? sam : olga,
      decidedBy: olga,
      stripeId: refund.id,
      madeAt: moment(refund.at),
      createdAt: isProposed(order) ? moment(refund.at - proposedBeforeSeconds) : decidedAt,
      decidedAt,
    },
  ];
}

const stripeRefundRows = (shop: PastShop, order: PastOrder): (typeof stripeRefunds.$inferInsert)[] =>
  order.refund
    ? [
        {
          id: order.refund.id,
          paymentId: orderId(order),
          amount: sumsOf(shop, order).refunded,
          currency: shop.ctx.currency,
          status: "succeeded",
          at: moment(order.refund.at),
        },
      ]
    : [];

function disputeRows(shop: PastShop, order: PastOrder): (typeof disputes.$inferInsert)[] {
  const { dispute } = order;
  if (!dispute) return [];
  const { id, at, closed } = dispute;
  return [
    {
      id,
      taking: 0,
      paymentId: orderId(order),
      amount: sumsOf(shop, order).paid,
      currency: shop.ctx.currency,
      status: closed?.status ?? "needs_response",
      takenAt: moment(at),
      returnedAt: closed?.status === "won" ? moment(closed.at) : null,
    },
  ];
}
