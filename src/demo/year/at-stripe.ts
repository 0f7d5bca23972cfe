import { metadataOf, type Order, sealOrder } from "@/domain/payments/port/order-terms";
import type { PastSession } from "@/simulators/stripe/control/past";
import type { PastOrder } from "./plan";
import { orderId, type PastShop, sumsOf } from "./shop";

/** Each order is sealed once, for Stripe and for our own row. */
const sealed = new WeakMap<PastOrder, Order>();

/** The order as the shop would have sealed it. */
export function sealedOrder(shop: PastShop, order: PastOrder): Order {
  const known = sealed.get(order) ?? seal(shop, order);
  sealed.set(order, known);
  return known;
}

function seal({ ctx, offers }: PastShop, order: PastOrder): Order {
  const { id: offer, name: product, amount, days, level } = offers[order.offer];
  const { quantity, giftTo: gift } = order;
  const id = orderId(order);
  const once = { level: level.id, levelName: level.name, devices: 1, every: null, trialDays: null };
  const { currency } = ctx;
  return sealOrder(ctx, { id, amount, currency, offer, product, days, ...once, quantity, gift, buyer: null });
}

/** The order for the Stripe simulator. */
export function pastSession(shop: PastShop, order: PastOrder, successUrl: URL): PastSession {
  const terms = sealedOrder(shop, order);
  const { refund, dispute } = order;
  return {
    id: order.session,
    created: order.createdAt,
    ended: order.endedAt,
    outcome: order.outcome,
    reference: terms.id,
    metadata: metadataOf(terms),
    product: terms.product,
    unit_amount: terms.amount,
    quantity: order.quantity,
    currency: terms.currency,
    code: order.hasCode ? shop.code.code : undefined,
    email: order.email,
    success_url: successUrl.href,
    intent: order.intent,
    refund: refund && { id: refund.id, amount: sumsOf(shop, order).refunded, created: refund.at },
    dispute: dispute && { id: dispute.id, created: dispute.at, closed: dispute.closed },
  };
}
