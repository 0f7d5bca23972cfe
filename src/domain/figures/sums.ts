import { and, eq, gt, min, sql } from "drizzle-orm";
import { Refusal } from "@/core/base/refusal";
import { yieldToEventLoop } from "@/core/base/yield";
import type { Ctx } from "@/core/database/context";
import { day } from "@/contract/vocabulary/time";
import { figureSums } from "../schema/figures";
import type { TimeSpan } from "./buckets";
import { updateFigures, firstDay } from "./days";
import { addSums, figuresOf, zeroSums, type Sums, type SumsAbout, sumColumns } from "./facts";

/** The sums of one currency: of the days before today, which are kept, and of today until now. */
export type FigureReading = { ctx: Ctx; currency: string; today: number; sumsOfToday: SumsAbout[] };

/** Refuses with `invalid_field` if nothing was sold in the currency. */
export async function readFigures(ctx: Ctx, currency = ctx.currency): Promise<FigureReading> {
  const today = await updateFigures(ctx);
  const sumsOfToday = await figuresOf(ctx, today, ctx.now().getTime() + 1);
  const reading = { ctx, currency, today, sumsOfToday };
  if (currency === ctx.currency || (await currenciesOf(reading)).includes(currency)) return reading;
  throw new Refusal("invalid_field", { field: "currency", sentence: "Nothing was sold in this currency." });
}

/** How many days a statement reads at most, roughly; that takes about 5 ms. */
const mostDays = 1_500;
/** How many of them where each has a row for every code that was used then. */
const mostDaysOfCodes = 60;

/** The sums of each stretch of days: of everything, or of one offer or code. */
export async function sumsIn(reading: FigureReading, about: string, stretches: TimeSpan[]): Promise<Sums[]> {
  const { ctx, today } = reading;
  const sums = stretches.map((stretch) =>
    containsTime(stretch, today)
      ? ofToday(reading)
          .filter((row) => row.about === about)
          .reduce(addSums, zeroSums)
      : zeroSums,
  );
  for (const part of partsOf(stretches)) {
    const table = sql`(SELECT value ->> 0 AS piece, value ->> 1 AS since, value ->> 2 AS until FROM json_each(${JSON.stringify(part)}) LIMIT -1) AS p`;
    const rows = await ctx.store.db
      .select({ index: sql<number>`p.piece`, ...sumsOf })
      .from(sql`${table} CROSS JOIN ${figureSums}`)
      .where(
        and(
          isOfCurrency(reading),
          eq(figureSums.about, about),
          sql`${figureSums.at} >= p.since AND ${figureSums.at} < min(p.until, ${today})`,
        ),
      )
      .groupBy(sql`p.piece`);
    for (const { index, ...row } of rows) sums[index] = addSums(sums[index] ?? zeroSums, row);
    await yieldToEventLoop();
  }
  return sums;
}

export async function sumsByCode(reading: FigureReading, stretch: TimeSpan): Promise<Map<string, Sums>> {
  const { ctx, today } = reading;
  const prefix = "code:";
  const sums = new Map<string, Sums>();
  const add = ({ about, ...row }: Sums & { about: string }) => {
    const code = about.slice(prefix.length);
    sums.set(code, addSums(sums.get(code) ?? zeroSums, row));
  };
  // any range of days may be asked for
  const from = Math.max(stretch.from, (await firstDay(ctx)) ?? today);
  for (let since = from; since < Math.min(stretch.until, today); since += mostDaysOfCodes * day) {
    const until = Math.min(since + mostDaysOfCodes * day, stretch.until, today);
    const rows = await ctx.store.db
      .select({ about: figureSums.about, ...sumsOf })
      .from(figureSums)
      .where(
        and(
          sql`${figureSums.at} >= ${since} AND ${figureSums.at} < ${until}`,
          isOfCurrency(reading),
          sql`${figureSums.about} >= ${prefix} AND ${figureSums.about} < ${`${prefix}\u{10FFFF}`}`,
        ),
      )
      .groupBy(figureSums.about);
    rows.forEach(add);
    await yieldToEventLoop();
  }
  if (containsTime(stretch, today))
    ofToday(reading)
      .filter(({ about }) => about.startsWith(prefix))
      .forEach(add);
  return sums;
}

/** The shop's currency and those in which it has sold. Each step finds the next one in the index. */
export async function currenciesOf({ ctx, sumsOfToday }: FigureReading): Promise<string[]> {
  const { store, livemode, currency } = ctx;
  const mode = Number(livemode);
  const others = sumsOfToday
    .filter((row) => row.livemode === mode && row.currency)
    .map((row) => row.currency);
  for (let last = ""; ;) {
    const [next] = await store.db
      .select({ currency: min(figureSums.currency) })
      .from(figureSums)
      .where(and(eq(figureSums.livemode, mode), gt(figureSums.currency, last)));
    if (!next?.currency) return [...new Set([currency, ...others.toSorted()])];
    others.push(next.currency);
    last = next.currency;
  }
}

const containsTime = ({ from, until }: TimeSpan, at: number) => from <= at && at < until;

const ofToday = ({ ctx, currency, sumsOfToday }: FigureReading) =>
  sumsOfToday.filter(
    (row) => [Number(ctx.livemode), 2].includes(row.livemode) && [currency, ""].includes(row.currency),
  );

const isOfCurrency = ({ ctx, currency }: FigureReading) =>
  sql`${figureSums.livemode} IN ${[Number(ctx.livemode), 2]} AND ${figureSums.currency} IN ${[currency, ""]}`;

const sumsOf = sumColumns((name) => figureSums[name]);

/** Each stretch with its index, in parts of at most {@link mostDays} days, or of one stretch. */
function partsOf(stretches: TimeSpan[]): [number, number, number][][] {
  const parts: [number, number, number][][] = [];
  let days = Infinity;
  for (const [index, { from, until }] of stretches.entries()) {
    days += (until - from) / day;
    if (days > mostDays) {
      parts.push([]);
      days = (until - from) / day;
    }
    parts.at(-1)?.push([index, from, until]);
  }
  return parts;
}
