import { day, hour, inSeconds, minute } from "@/contract/vocabulary/time";
import type { Chance } from "./chance";
import { stripeId } from "./ids";
import { addressOf, customerOf, type PastCustomer } from "./people";

/** What the shop sold in the year: its own offer, and one that it retired since. */
export type PastOffer = "premium" | "quarter";

/** A checkout of the past year; times are Unix seconds. */
export type PastOrder = {
  number: number;
  session: string;
  /** Null if nothing was paid with. */
  intent: string | null;
  offer: PastOffer;
  quantity: number;
  hasCode: boolean;
  giftTo: string | null;
  createdAt: number;
  /** When it was paid, failed or expired. */
  endedAt: number;
  outcome: "paid" | "failed" | "expired";
  email: string;
  /** The customer who was signed in. */
  buyer: PastCustomer | null;
  /** Who redeemed its first key. */
  owner: PastCustomer | null;
  redeemedAt: number;
  refund: { id: string; at: number; isPart: boolean; reason: string } | null;
  dispute: { id: string; at: number; closed: { at: number; status: "won" | "lost" } | null } | null;
};

/** How many days the year has, and on which of them the other offer was retired. */
export const daysOfYear = 364;
const retiredOn = 272;
const checkoutsInAll = 1_960;
/** How busy each day of the week is, from Sunday. */
const busyness = [1.25, 0.95, 0.85, 0.85, 0.95, 1.1, 1.3] as const;
/** At the end, the shop sells this many times as much as at the beginning. */
const growth = 3;

const [aDay, anHour, aMinute] = [inSeconds(day), inSeconds(hour), inSeconds(minute)];
const reasons = [
  "does not run on the buyer's computer",
  "bought twice",
  "changed their mind within two weeks",
  "wanted another product",
] as const;

/** How long after a payment the shop learned of it. */
export const soldAfterSeconds = 2;

/** When the other offer was retired, and since when it was sold, in a year that ends then. */
export const quarterSold = (end: number) => ({
  from: end - daysOfYear * aDay,
  until: end - (daysOfYear - retiredOn) * aDay,
});

/** The checkouts of a year that ends then, oldest first, and the customers who came of them. */
export function planOrders(chance: Chance, end: number): { orders: PastOrder[]; customers: PastCustomer[] } {
  const orders: PastOrder[] = [];
  const customers: PastCustomer[] = [];
  /** Customers whose time will run out. */
  const returning: PastCustomer[] = [];
  const times = planTimes(chance, end);
  for (const [number, createdAt] of times.entries()) {
    const back = chance.is(0.3) && (returning[0]?.joinedAt ?? end) < createdAt - 70 * aDay;
    const buyer = back ? (returning.shift() ?? null) : null;
    const order = planOrder(chance, { number, createdAt, end, buyer });
    const { owner } = order;
    orders.push(order);
    if (owner && owner !== buyer) customers.push(owner);
    const lasts = order.outcome === "paid" && order.offer === "premium" && owner === buyer;
    const renewer = buyer && !lasts ? buyer : order.offer === "quarter" ? owner : null;
    if (renewer) returning.push(renewer);
  }
  returnOpenDisputes(orders, end);
  return { orders, customers: customers.toSorted((one, other) => one.joinedAt - other.joinedAt) };
}

/** When people came, in order: more of them later in the year, at weekends and in the evening. */
function planTimes(chance: Chance, end: number): number[] {
  const begin = end - daysOfYear * aDay;
  const weights = Array.from({ length: daysOfYear }, (_, at) => {
    const weekday = new Date((begin + at * aDay) * 1000).getUTCDay();
    return (1 + ((growth - 1) * at) / daysOfYear) * (busyness[weekday] ?? 1);
  });
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  const times = weights.flatMap((weight, at) => {
    const count = Math.floor((checkoutsInAll * weight) / all + chance.next());
    return Array.from({ length: count }, () => {
      const ofDay = (chance.next() + chance.next() + Math.max(chance.next(), chance.next())) / 3;
      return begin + at * aDay + Math.floor(ofDay * aDay);
    });
  });
  // nothing of the year is younger than two hours, not even what follows from a checkout
  return times.filter((at) => at < end - 3 * anHour).toSorted((one, other) => one - other);
}

type Given = { number: number; createdAt: number; end: number; buyer: PastCustomer | null };

function planOrder(chance: Chance, { number, createdAt, end, buyer }: Given): PastOrder {
  const isSold = createdAt < quarterSold(end).until;
  const offer = isSold && chance.is(0.36) ? ("quarter" as const) : ("premium" as const);
  const roll = chance.next();
  const expires = roll < 0.21 && createdAt + aDay < end - anHour;
  const outcome = expires ? "expired" : roll > 0.985 ? "failed" : "paid";
  const later = { expired: aDay, failed: 40 * aMinute, paid: chance.between(40, 600) }[outcome];
  const isGift = !buyer && chance.is(0.04);
  const quantity = !buyer && !isGift && chance.is(0.03) ? chance.between(2, 5) : 1;
  const email = buyer?.email ?? addressOf(chance, number);
  const order: PastOrder = {
    number,
    session: stripeId("cs_test_a1", number, 56),
    intent: outcome === "expired" ? null : stripeId("pi_3", number),
    offer,
    quantity,
    hasCode: quantity === 1 && chance.is(0.09) && outcome === "paid",
    giftTo: isGift ? addressOf(chance, 10_000 + number) : null,
    createdAt,
    endedAt: createdAt + later,
    outcome,
    email,
    buyer,
    owner: null,
    redeemedAt: 0,
    refund: null,
    dispute: null,
  };
  if (outcome !== "paid") return order;
  return { ...order, ...planOwner(chance, order, end), ...planReturn(chance, order, end) };
}

function planOwner(chance: Chance, order: PastOrder, end: number): Partial<PastOrder> {
  const { buyer, endedAt, email, giftTo } = order;
  if (buyer) return { owner: buyer, redeemedAt: endedAt + soldAfterSeconds };
  const redeemedAt = endedAt + (giftTo ? chance.between(1, 96) * anHour : chance.between(2, 90) * aMinute);
  const isRedeemed = chance.is(0.76) && redeemedAt < end - anHour;
  return isRedeemed ? { owner: customerOf(giftTo ?? email, redeemedAt), redeemedAt } : {};
}

/** What came back of it: a refund, or a dispute that the bank has decided. */
function planReturn(chance: Chance, { number, endedAt }: PastOrder, end: number): Partial<PastOrder> {
  const refundedAt = endedAt + chance.between(aMinute * 30, 13 * aDay);
  if (chance.is(0.027) && refundedAt < end - anHour) {
    const how = { isPart: chance.is(0.2), reason: chance.pick(reasons) };
    return { refund: { id: stripeId("re_3", number), at: refundedAt, ...how } };
  }
  const disputedAt = endedAt + chance.between(4 * aDay, 40 * aDay);
  const closedAt = disputedAt + chance.between(10 * aDay, 25 * aDay);
  if (!chance.is(0.004) || closedAt >= end - anHour) return {};
  const closed = { at: closedAt, status: chance.is(0.45) ? ("won" as const) : ("lost" as const) };
  return { dispute: { id: stripeId("du_1", number), at: disputedAt, closed } };
}

/** Two buyers of the last weeks dispute, and the shop has not answered yet. */
function returnOpenDisputes(orders: PastOrder[], end: number) {
  for (const daysAgo of [3, 9]) {
    const at = end - daysAgo * aDay;
    const found = orders.findLastIndex(
      ({ outcome, refund, dispute, quantity, createdAt }) =>
        outcome === "paid" && !refund && !dispute && quantity === 1 && createdAt < at - 12 * aDay,
    );
    const order = orders[found];
    if (order)
      orders[found] = { ...order, dispute: { id: stripeId("du_1", order.number), at, closed: null } };
  }
}
