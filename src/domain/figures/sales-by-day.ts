import type { Ctx } from "@/core/database/context";
import { bucketsOf, dayIn, mostBuckets } from "./buckets";
import { knownCurrencies } from "./scope";
import { salesIn } from "./sums";

/** The sales of a day in one currency, in minor units; refunds and disputes count on their own day. */
export type DaySales = {
  day: string;
  currency: string;
  sold: number;
  amount: number;
  refunded: number;
  disputed: number;
};

/** The sales of the last days including today, without days that have none. */
export async function salesByDay(ctx: Ctx, days: number): Promise<DaySales[]> {
  const rows: DaySales[] = [];
  const currencies = await knownCurrencies(ctx);
  for (let left = days; left > 0; left -= mostBuckets) {
    const [from, to] = [left - 1, Math.max(left - mostBuckets, 0)].map((ago) =>
      dayIn(ctx.timeZone, ctx.now(), -ago),
    );
    const buckets = bucketsOf({ from: from ?? "", to: to ?? "" }, "day", ctx.timeZone);
    const found = await Promise.all(
      currencies.map((currency) => salesIn(ctx, { currency, about: [""] }, buckets)),
    );
    for (const [index, { date }] of buckets.entries()) {
      for (const [at, currency] of currencies.entries()) {
        const sales = found[at]?.[index];
        if (!sales || (sales.payments === 0 && sales.refunded === 0 && sales.disputed === 0)) continue;
        const { payments: sold, gross: amount, refunded, disputed } = sales;
        rows.push({ day: date, currency, sold, amount, refunded, disputed });
      }
    }
  }
  return rows;
}
