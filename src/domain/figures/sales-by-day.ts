import type { Actor } from "@/core/base/actor";
import type { Ctx } from "@/core/database/context";
import { authorize } from "../permissions";
import { bucketsOf, dayIn, maxBuckets } from "./buckets";
import { currenciesOf, readFigures, sumsIn } from "./sums";

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
export async function salesByDay(ctx: Ctx, actor: Actor, days: number): Promise<DaySales[]> {
  authorize(actor, "figures.read");
  const rows: DaySales[] = [];
  const reading = await readFigures(ctx);
  const currencies = await currenciesOf(reading);
  for (let left = days; left > 0; left -= maxBuckets) {
    const [from, to] = [left - 1, Math.max(left - maxBuckets, 0)].map((ago) =>
      dayIn(ctx.timeZone, ctx.now(), -ago),
    );
    const buckets = bucketsOf({ from: from ?? "", to: to ?? "" }, "day", ctx.timeZone);
    const found = await Promise.all(
      currencies.map((currency) => sumsIn({ ...reading, currency }, "", buckets)),
    );
    for (const [index, { date }] of buckets.entries()) {
      for (const [at, currency] of currencies.entries()) {
        const sums = found[at]?.[index];
        if (!sums || (sums.payments === 0 && sums.refunded === 0 && sums.disputed === 0)) continue;
        const { payments: sold, gross: amount, refunded, disputed } = sums;
        rows.push({ day: date, currency, sold, amount, refunded, disputed });
      }
    }
  }
  return rows;
}
