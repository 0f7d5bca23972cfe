import type { disputes, stripeRefunds } from "@/domain/schema/money-back";
import type { PastOrder } from "./orders";
import { moment, orderId, type PastShop, sumsOf } from "./shop";

export const stripeRefundRows = (shop: PastShop, order: PastOrder): (typeof stripeRefunds.$inferInsert)[] =>
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

export function disputeRows(shop: PastShop, order: PastOrder): (typeof disputes.$inferInsert)[] {
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
