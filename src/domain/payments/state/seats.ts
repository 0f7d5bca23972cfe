import { contains, type Ladder } from "../../levels/ladder";
import { levelOf } from "../port/order-terms";
import type { Licence } from "../../schema/licences";
import type { Payment } from "../../schema/payments";
import type { Subscription } from "../../schema/subscriptions";
import { grace, isCovered } from "./subscription-state";
import type { InvoiceFacts, PriceFacts, SubscriptionFacts } from "../port/subscription-gateway";

/** What a subscription gives its licence, and the price that gives it, or the offer of its order if none of ours does. */
export type Billed = Pick<Subscription, "price" | "offer" | "level" | "devices">;

type Invoices = { invoices: InvoiceFacts[] };

/** What is paid beyond a moment, newest first. */
export const paidBeyond = ({ invoices }: Invoices, now: Date): InvoiceFacts[] =>
  paidOf({ invoices }).filter(({ periodEndsAt: end }) => end !== null && end > now);

const paidOf = ({ invoices }: Invoices) =>
  invoices.filter((one) => one.price !== null && isCovered(one, invoices)).toReversed();

/**
 * Stripe's ids of the prices that may give a subscription's level and seats, the right one first. That is its present
 * price, unless a switch to it is not paid, or what was paid at it is over while something else that was paid runs.
 * Otherwise the newest price that was paid.
 */
function pricesThatCount(
  { price, endedAt, invoices }: Pick<SubscriptionFacts, "price" | "endedAt" | "invoices">,
  now: Date,
): string[] {
  const paid = paidOf({ invoices });
  const [newest] = paid;
  const since = newest ? invoices.slice(invoices.indexOf(newest) + 1) : invoices;
  const isOwed = since.some((one) => one.isSwitch && one.price === price?.id);
  const end = newest && newest.price === price?.id ? newest.periodEndsAt : null;
  const isOver = end !== null && end.getTime() + (endedAt === null ? grace : 0) <= now.getTime();
  const present = price && !isOwed && !isOver ? [price.id] : [];
  const ids = [...paidBeyond({ invoices }, now), ...paid].flatMap((one) => one.price ?? []);
  return [...new Set([...present, ...ids])];
}

type BilledSubscription = {
  facts: SubscriptionFacts;
  first: Payment;
  ladder: Ladder;
  priceOf: (id: string) => Promise<PriceFacts | null>;
  now: Date;
};

/** What the price that counts gives; of prices of ours whose level the shop has. */
export async function billedBy({ facts, first, ladder, priceOf, now }: BilledSubscription): Promise<Billed> {
  const sold = levelOf(first).id;
  for (const id of pricesThatCount(facts, now)) {
    const price = await priceOf(id);
    if (price && hasLevel(ladder, price))
      return {
        price: id,
        offer: price.offer,
        level: price.level.id,
        devices: price.devices ?? first.devices,
      };
  }
  const offer = first.offer ?? "";
  return { price: offer, offer, level: sold, devices: first.devices };
}

/** Whether the shop has a price's level; only a seal makes levels. */
export const hasLevel = (ladder: Ladder, { level }: PriceFacts): boolean =>
  ladder.some(({ id }) => id === level.id);

type StaffTerms = Pick<Licence, "staffLevel" | "staffLevelPrice" | "staffDevices" | "staffDevicesPrice">;

/**
 * What the licence has of it: what the price gives, or what staff set at that price. After a switch theirs stays only if it
 * is more, and otherwise is unset.
 */
export function givenBy(ladder: Ladder, staffs: StaffTerms, { price, level, devices }: Billed) {
  const { staffLevel, staffLevelPrice, staffDevices, staffDevicesPrice } = staffs;
  const isLevelKept = staffLevelPrice === price || contains(ladder, staffLevel ?? "", level);
  const areDevicesKept = staffDevicesPrice === price || (staffDevices ?? 0) > devices;
  return {
    level: (isLevelKept ? staffLevel : null) ?? level,
    devices: (areDevicesKept ? staffDevices : null) ?? devices,
    ...(staffLevel !== null && !isLevelKept && { staffLevel: null, staffLevelPrice: null }),
    ...(staffDevices !== null && !areDevicesKept && { staffDevices: null, staffDevicesPrice: null }),
  };
}
