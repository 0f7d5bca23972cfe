import type { Actor } from "@/core/base/actor";
import type { Ctx } from "@/core/database/context";
import { Refusal } from "@/core/base/refusal";
import { ladderOf } from "../levels/list";
import { authorize } from "../permissions";
import { bucketBefore, type BucketSize, bucketsOf, dayIn, maxBuckets, timeSpanOf } from "./buckets";
import { addSums, zeroSums, type Sums } from "./facts";
import { aboutOf, everyOffer, expectOffer, hasRecurringOffers } from "./scope";
import { currenciesOf, type FigureReading, readFigures, sumsByCode, sumsIn } from "./sums";

/** Days are those of the shop's time zone; everything has a default. */
export type Days = { from?: string | undefined; to?: string | undefined };
export type Range = Days & { currency?: string | undefined };
type Question = Range & { bucket?: BucketSize | undefined; offer?: string | undefined };

const usualDays = 30;

/** The shop's figures over some days, in buckets. Refuses with `invalid_field`. */
export async function figures(ctx: Ctx, asking: Actor | { actor: Actor }, question: Question) {
  authorize(asking, "figures.read");
  const { bucket = "day", offer } = question;
  const range = rangeOf(ctx, question);
  const reading = await readFigures(ctx, question.currency);
  if (offer !== undefined) await expectOffer(ctx, offer);
  const buckets = bucketsOf(range, bucket, range.tz);
  if (buckets.length > maxBuckets) {
    throw new Refusal("invalid_field", { field: "from", sentence: `That is more than ${maxBuckets} rows.` });
  }
  const before = bucketBefore(range, range.tz);
  const [earlier = zeroSums, ...sums] = await sumsIn(reading, aboutOf(offer), [
    { from: 0, until: before.from },
    before,
    ...buckets,
  ]);
  const hasMrr = await hasRecurringOffers(ctx);
  let soFar = earlier;
  const shown = (row: Sums) => ({
    ...ratios(row),
    new_accounts: offer === undefined ? row.accounts : null,
    active_licences: soFar.licences,
    mrr: hasMrr ? monthly(soFar) : null,
  });
  const [previous, ...series] = sums.map((row) => {
    soFar = addSums(soFar, row);
    return shown(row);
  });
  return {
    ...range,
    bucket,
    currency: reading.currency,
    currencies: await currenciesOf(reading),
    totals: shown(sums.slice(1).reduce(addSums, zeroSums)),
    // a row for each of the stretches asked for
    previous: previous!,
    by_level: offer === undefined ? await byLevel(reading, range, hasMrr) : null,
    series: buckets.map(({ date }, index) => ({ date, ...series[index]! })),
  };
}

/** A row for each level, the lowest first; of a retired one only if it has sales in the range or active licences. */
async function byLevel(reading: FigureReading, range: ReturnType<typeof rangeOf>, hasMrr: boolean) {
  const stretch = timeSpanOf(range, range.tz);
  const rows = [];
  for (const { id, name, retiredAt } of await ladderOf(reading.ctx)) {
    const both = await sumsIn(reading, `level:${id}`, [{ from: 0, until: stretch.from }, stretch]);
    const soFar = both.reduce(addSums, zeroSums);
    const { checkouts: _checkouts, conversion: _conversion, ...sales } = ratios(both[1] ?? zeroSums);
    const isOver =
      retiredAt !== null && soFar.licences === 0 && Object.values(sales).every((value) => !value);
    if (isOver) continue;
    rows.push({
      level: { id, name },
      ...sales,
      active_licences: soFar.licences,
      mrr: hasMrr ? monthly(soFar) : null,
    });
  }
  return rows;
}

/** The range of a question; by default the last thirty days. Refuses with `invalid_field`. */
export function rangeOf(ctx: Ctx, { from, to }: Days) {
  const until = to ?? dayIn(ctx.timeZone, ctx.now());
  const since =
    from ??
    Temporal.PlainDate.from(until)
      .subtract({ days: usualDays - 1 })
      .toString();
  if (since > until) {
    throw new Refusal("invalid_field", { field: "from", sentence: "from must not be after to." });
  }
  return { from: since, to: until, tz: ctx.timeZone };
}

/** Sales with the figures that follow from them; a ratio to zero is `null`. */
const ratios = ({ gross, refunded, disputed, payments, orders, checkouts }: Sums) => ({
  gross,
  refunded,
  disputed,
  payments,
  orders,
  checkouts,
  net: gross - refunded - disputed,
  average: payments === 0 ? null : Math.round(gross / payments),
  conversion: checkouts === 0 ? null : orders / checkouts,
});

/** The monthly recurring revenue, of the sums of all days so far. */
const monthly = ({ yearly }: Sums): number => Math.round(yearly / 12);

type Asking = Actor | { actor: Actor };

const mostRows = 400;

/** A row for each offer on sale, and for each retired offer that has sales in the range or active licences. */
export async function figuresByOffer(ctx: Ctx, asking: Asking, question: Range) {
  authorize(asking, "figures.read");
  const range = rangeOf(ctx, question);
  const reading = await readFigures(ctx, question.currency);
  const stretch = timeSpanOf(range, range.tz);
  const hasMrr = await hasRecurringOffers(ctx);
  const rows = [];
  for (const { id, ...offer } of (await everyOffer(ctx)).slice(0, mostRows)) {
    const both = await sumsIn(reading, aboutOf(id), [{ from: 0, until: stretch.from }, stretch]);
    const soFar = both.reduce(addSums, zeroSums);
    const { net: _net, ...sales } = ratios(both[1] ?? zeroSums);
    const isOver = offer.retired && soFar.licences === 0 && Object.values(sales).every((value) => !value);
    if (isOver) continue;
    rows.push({
      offer: id,
      ...offer,
      ...ratios(both[1] ?? zeroSums),
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
  const sums = await sumsByCode(reading, timeSpanOf(range, range.tz));
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
export async function salesByCodes(ctx: Ctx, asking: Asking, codes: readonly string[]) {
  authorize(asking, "figures.read");
  const reading = await readFigures(ctx);
  const brought = new Map<string, { orders: number; gross: number }>();
  for (const code of codes) {
    const [sums = zeroSums] = await sumsIn(reading, `code:${code}`, [{ from: 0, until: Infinity }]);
    brought.set(code, { orders: sums.orders, gross: sums.gross });
  }
  return brought;
}
