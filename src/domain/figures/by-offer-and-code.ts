import type { Actor } from "@/core/base/actor";
import type { Ctx } from "@/core/database/context";
import { authorize } from "../permissions";
import { stretchOf } from "./buckets";
import { added, noSums } from "./facts";
import { monthly, type Range, rangeOf, ratios } from "./figures";
import { aboutOf, everyOffer, recurs } from "./scope";
import { readFigures, sumsByCode, sumsIn } from "./sums";

type Asking = Actor | { actor: Actor };

const mostRows = 400;

/** A row for each offer on sale, and for each retired offer that has sales in the range or active licences. */
export async function figuresByOffer(ctx: Ctx, asking: Asking, question: Range) {
  authorize(asking, "figures.read");
  const range = rangeOf(ctx, question);
  const reading = await readFigures(ctx, question.currency);
  const stretch = stretchOf(range, range.tz);
  const hasMrr = await recurs(ctx);
  const rows = [];
  for (const { id, ...offer } of (await everyOffer(ctx)).slice(0, mostRows)) {
    const both = await sumsIn(reading, aboutOf(id), [{ from: 0, until: stretch.from }, stretch]);
    const soFar = both.reduce(added, noSums);
    const { net: _net, ...sales } = ratios(both[1] ?? noSums);
    const isOver = offer.retired && soFar.licences === 0 && Object.values(sales).every((value) => !value);
    if (isOver) continue;
    rows.push({
      offer: id,
      ...offer,
      ...ratios(both[1] ?? noSums),
      active_licences: soFar.licences,
      mrr: hasMrr ? monthly(soFar) : null,
    });
  }
  return { ...range, currency: reading.currency, rows };
}

/** A row for each promotion code that was used, the most orders first. */
export async function figuresByCode(ctx: Ctx, asking: Asking, question: Range) {
  authorize(asking, "figures.read");
  const range = rangeOf(ctx, question);
  const reading = await readFigures(ctx, question.currency);
  const sums = await sumsByCode(reading, stretchOf(range, range.tz));
  const rows = [...sums].map(([code, sales]) => {
    const { checkouts: _checkouts, conversion: _conversion, ...row } = ratios(sales);
    return { code, ...row, off: sales.off };
  });
  const byOrders = rows.toSorted(
    (one, other) => other.orders - one.orders || one.code.localeCompare(other.code),
  );
  return { ...range, currency: reading.currency, rows: byOrders.slice(0, mostRows) };
}

/** How many orders each of these codes has brought so far, and what their buyers paid, in the shop's currency. */
export async function broughtByCodes(ctx: Ctx, asking: Asking, codes: readonly string[]) {
  authorize(asking, "figures.read");
  const reading = await readFigures(ctx);
  const brought = new Map<string, { orders: number; gross: number }>();
  for (const code of codes) {
    const [sums = noSums] = await sumsIn(reading, `code:${code}`, [{ from: 0, until: Infinity }]);
    brought.set(code, { orders: sums.orders, gross: sums.gross });
  }
  return brought;
}
