import type { Actor } from "@/core/base/actor";
import type { Ctx } from "@/core/database/context";
import { Refusal } from "@/core/base/refusal";
import { authorize } from "../permissions";
import { activeLicences } from "./active-licences";
import { bucketBefore, type BucketSize, bucketsOf, dayIn, mostBuckets } from "./buckets";
import { recurringIn } from "./recurring";
import { aboutOf, expectCurrency, expectOffer, knownCurrencies } from "./scope";
import { accountsIn, noSales, type Sales, salesIn } from "./sums";

/** Days are those of the time zone; everything has a default. */
export type Range = {
  from?: string | undefined;
  to?: string | undefined;
  tz?: string | undefined;
  currency?: string | undefined;
};
export type Question = Range & { bucket?: BucketSize | undefined; offer?: string | undefined };

const usualDays = 30;

/** The shop's figures over some days, in buckets. Refuses with `invalid_field`. */
export async function figures(ctx: Ctx, asking: Actor | { actor: Actor }, question: Question) {
  authorize(asking, "figures.read");
  const { bucket = "day", offer } = question;
  const range = await rangeOf(ctx, question);
  if (offer !== undefined) await expectOffer(ctx, offer);
  const { from, to, tz, currency } = range;
  const buckets = bucketsOf(range, bucket, tz);
  if (buckets.length > mostBuckets) {
    throw new Refusal("invalid_field", { field: "from", sentence: `That is more than ${mostBuckets} rows` });
  }
  const before = bucketBefore(range, tz);
  const about = aboutOf(offer);
  const all = [before, ...buckets];
  const [sales, accounts, active, recurring] = await Promise.all([
    salesIn(ctx, { currency, about }, all),
    offer === undefined ? accountsIn(ctx, all) : null,
    activeLicences(ctx, about, all),
    recurringIn(ctx, { currency, about }, all),
  ]);
  const figuresAt = (index: number): Figures => ({
    ...ratios(sales[index] ?? noSales),
    new_accounts: accounts?.[index] ?? null,
    active_licences: active[index] ?? 0,
    mrr: recurring?.[index] ?? null,
  });
  return {
    from,
    to,
    bucket,
    tz,
    currency,
    currencies: await knownCurrencies(ctx),
    totals: {
      ...ratios(total(sales.slice(1))),
      new_accounts: accounts && accounts.slice(1).reduce((sum, one) => sum + one, 0),
      active_licences: active.at(-1) ?? 0,
      mrr: recurring?.at(-1) ?? null,
    },
    previous: figuresAt(0),
    series: buckets.map(({ date }, index) => ({ date, ...figuresAt(index + 1) })),
  };
}

export type Figures = ReturnType<typeof ratios> & {
  new_accounts: number | null;
  active_licences: number;
  mrr: number | null;
};

/** The range of a question; by default the last thirty days in the shop's time zone. Refuses with `invalid_field`. */
export async function rangeOf(ctx: Ctx, { from, to, tz = ctx.timeZone, currency = ctx.currency }: Range) {
  const until = to ?? dayIn(tz, ctx.now());
  const since =
    from ??
    Temporal.PlainDate.from(until)
      .subtract({ days: usualDays - 1 })
      .toString();
  if (since > until) {
    throw new Refusal("invalid_field", { field: "from", sentence: "from must not be after to" });
  }
  await expectCurrency(ctx, currency);
  return { from: since, to: until, tz, currency };
}

/** Sales with the figures that follow from them; a ratio to zero is `null`. */
export const ratios = ({ off: _off, ...sales }: Sales) => ({
  ...sales,
  net: sales.gross - sales.refunded - sales.disputed,
  average: sales.payments === 0 ? null : Math.round(sales.gross / sales.payments),
  conversion: sales.checkouts === 0 ? null : sales.orders / sales.checkouts,
});

const total = (rows: Sales[]): Sales =>
  rows.reduce(
    (sum, row) => ({
      gross: sum.gross + row.gross,
      off: sum.off + row.off,
      refunded: sum.refunded + row.refunded,
      disputed: sum.disputed + row.disputed,
      payments: sum.payments + row.payments,
      orders: sum.orders + row.orders,
      checkouts: sum.checkouts + row.checkouts,
    }),
    noSales,
  );
