import type { Actor } from "@/core/base/actor";
import type { Ctx } from "@/core/database/context";
import { authorize } from "../permissions";
import { activeAt } from "./active-licences";
import { bucketsOf } from "./buckets";
import { type Range, rangeOf, ratios } from "./figures";
import { recurringAt } from "./recurring";
import { aboutOf, everyOffer } from "./scope";
import { noSales, type Sales, salesAbout, salesSoFar } from "./sums";

type Asking = Actor | { actor: Actor };

const mostRows = 400;

/** A row for each offer on sale, and for each retired offer that has sales in the range or active licences. */
export async function figuresByOffer(ctx: Ctx, asking: Asking, question: Range) {
  authorize(asking, "figures.read");
  const range = await rangeOf(ctx, question);
  const stretch = stretchOf(range);
  const sums = await salesAbout(ctx, { currency: range.currency, prefix: "offer:" }, stretch);
  const rows = [];
  for (const { id, ...offer } of (await everyOffer(ctx)).slice(0, mostRows)) {
    const about = aboutOf(id);
    const sales = about.map((name) => sums.get(name) ?? noSales).reduce(together);
    const active = await activeAt(ctx, about, stretch.until);
    const isOver = offer.retired && active === 0 && Object.values(sales).every((value) => value === 0);
    if (isOver) continue;
    const mrr = await recurringAt(ctx, { currency: range.currency, about }, stretch.until);
    rows.push({ offer: id, ...offer, ...ratios(sales), active_licences: active, mrr });
  }
  return { ...range, rows };
}

/** A row for each promotion code that was used, the most orders first. */
export async function figuresByCode(ctx: Ctx, asking: Asking, question: Range) {
  authorize(asking, "figures.read");
  const range = await rangeOf(ctx, question);
  const prefix = "code:";
  const sums = await salesAbout(ctx, { currency: range.currency, prefix }, stretchOf(range));
  const rows = [...sums].map(([about, sales]) => {
    const { checkouts: _checkouts, conversion: _conversion, ...row } = ratios(sales);
    return { code: about.slice(prefix.length), ...row, off: sales.off };
  });
  const byOrders = rows.toSorted(
    (one, other) => other.orders - one.orders || one.code.localeCompare(other.code),
  );
  return { ...range, rows: byOrders.slice(0, mostRows) };
}

/** How many orders each of these codes has brought so far, and what their buyers paid, in the shop's currency. */
export async function broughtByCodes(ctx: Ctx, asking: Asking, codes: readonly string[]) {
  authorize(asking, "figures.read");
  const prefix = "code:";
  const sums = await salesSoFar(
    ctx,
    codes.map((code) => `${prefix}${code}`),
  );
  return new Map(
    [...sums].map(([about, { orders, gross }]) => [about.slice(prefix.length), { orders, gross }]),
  );
}

/** A range of any length is one stretch of time. */
export function stretchOf({ from, to, tz }: { from: string; to: string; tz: string }) {
  const [first] = bucketsOf({ from, to: from }, "day", tz);
  const [last] = bucketsOf({ from: to, to }, "day", tz);
  return { from: first?.from ?? 0, until: last?.until ?? 0 };
}

const together = (one: Sales, other: Sales): Sales => ({
  gross: one.gross + other.gross,
  off: one.off + other.off,
  refunded: one.refunded + other.refunded,
  disputed: one.disputed + other.disputed,
  payments: one.payments + other.payments,
  orders: one.orders + other.orders,
  checkouts: one.checkouts + other.checkouts,
});
