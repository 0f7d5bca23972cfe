import { money } from "../money/totals";
import type { World } from "../world";
import type { Bill, Item, Line, Price, Subscription } from "./rows";

type Given = {
  amount: number;
  description: string;
  period: { start: number; end: number };
  price: Price;
  /** By default the subscription's first. */
  item?: Item;
  /** The invoice and line whose unused time is given back; null for a switched price's time; absent in a plain line. */
  credits?: { invoice: string; invoice_line_items: string[] } | null;
};

/** A line of a subscription's invoice. */
function newLine(world: World, { id, currency, items }: Subscription, given: Given): Line {
  const proration = given.credits !== undefined;
  return {
    id: world.ids.next("il_1"),
    object: "line_item",
    amount: given.amount,
    currency,
    description: given.description,
    discount_amounts: [],
    discountable: !proration || given.amount > 0,
    discounts: [],
    invoice: null,
    livemode: world.live,
    metadata: {},
    parent: {
      invoice_item_details: null,
      subscription_item_details: {
        invoice_item: proration ? world.ids.next("ii_1") : null,
        proration,
        proration_details: given.credits ? { credited_items: given.credits } : null,
        subscription: id,
        subscription_item: (given.item ?? items.data[0]).id,
      },
      type: "subscription_item_details",
    },
    period: given.period,
    pricing: {
      price_details: { price: given.price.id, product: given.price.product },
      type: "price_details",
    },
    quantity: quantityOf(given.item ?? items.data[0]),
    subscription: id,
    subtotal: given.amount,
    taxes: [],
  };
}

const nameOf = (world: World, price: Price) =>
  world.ledger.products.get(price.product)?.name ?? price.product;

const quantityOf = ({ quantity }: Item): number => quantity ?? 1;

/** The whole period of every item. */
export const periodLines = (world: World, subscription: Subscription): Line[] =>
  subscription.items.data.map((item) => periodLine(world, subscription, item));

/** The whole period of an item, by default the first, as each renewal bills it. */
export function periodLine(
  world: World,
  subscription: Subscription,
  item: Item = subscription.items.data[0],
): Line {
  const { price } = item;
  const period = { start: item.current_period_start, end: item.current_period_end };
  const name = nameOf(world, price);
  if (subscription.status === "trialing")
    return newLine(world, subscription, {
      amount: 0,
      description: `Trial period for ${name}`,
      period,
      price,
      item,
    });
  const each = `${money(price.unit_amount, price.currency)} / ${price.recurring?.interval}`;
  const description = `${quantityOf(item)} × ${name} (at ${each})`;
  return newLine(world, subscription, {
    amount: price.unit_amount * quantityOf(item),
    description,
    period,
    price,
    item,
  });
}

/** What is left of an item's period at a moment, from 0 to 1. */
function share({ current_period_start: start, current_period_end: end }: Item, moment: number): number {
  return Math.min(1, Math.max(0, (end - moment) / (end - start)));
}

/** Gives back the unused time of the item's price: what was billed for it, discounts taken off. */
export function unusedLine(world: World, subscription: Subscription, moment: number): Line {
  const item = subscription.items.data[0];
  const billed = billedFor(world, subscription, item);
  const whole = billed
    ? billed.line.amount - discountOn(billed.line)
    : item.price.unit_amount * quantityOf(item);
  return newLine(world, subscription, {
    amount: -Math.round(whole * share(item, moment)),
    description: `Unused time on ${nameOf(world, item.price)}`,
    period: { start: moment, end: item.current_period_end },
    price: item.price,
    credits: billed ? { invoice: billed.bill.id, invoice_line_items: [billed.line.id] } : null,
  });
}

/** The remaining time of the item's period at another price of the same interval. */
export function remainingLine(world: World, subscription: Subscription, price: Price, moment: number): Line {
  const item = subscription.items.data[0];
  return newLine(world, subscription, {
    amount: Math.round(price.unit_amount * quantityOf(item) * share(item, moment)),
    description: `Remaining time on ${nameOf(world, price)}`,
    period: { start: moment, end: item.current_period_end },
    price,
    credits: null,
  });
}

const discountOn = ({ discount_amounts: amounts }: Line): number =>
  (amounts ?? []).reduce((sum, { amount }) => sum + (amount ?? 0), 0);

/** The newest line that billed the item's present price and period. */
function billedFor(world: World, { id }: Subscription, item: Item): { bill: Bill; line: Line } | undefined {
  for (const bill of billsOf(world, id)) {
    if (bill.status === "void") continue;
    const line = bill.lines.data.find(
      (one) =>
        one.amount > 0 &&
        one.period.end === item.current_period_end &&
        one.pricing?.price_details?.price === item.price.id,
    );
    if (line) return { bill, line };
  }
  return undefined;
}

/** The invoices of a subscription, newest first. */
export const billsOf = (world: World, subscription: string): Bill[] =>
  world.ledger.invoices.group(subscription).filter(isBill).toReversed();

export const isBill = (invoice: { parent?: object | null }): invoice is Bill =>
  invoice.parent !== undefined && invoice.parent !== null;
