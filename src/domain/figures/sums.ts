import { and, eq, inArray, sql } from "drizzle-orm";
import { day } from "@/contract/time";
import type { Ctx } from "@/core/context";
import { othersTurn } from "@/core/others-turn";
import { accountSums, licenceSums, salesSums } from "../schema/figures";
import { type Piece, piecesOf } from "./buckets";

/** Money in minor units; see {@link salesSums}. */
export type Sales = {
  gross: number;
  off: number;
  refunded: number;
  disputed: number;
  payments: number;
  orders: number;
  checkouts: number;
};

export const noSales: Sales = {
  gross: 0,
  off: 0,
  refunded: 0,
  disputed: 0,
  payments: 0,
  orders: 0,
  checkouts: 0,
};

/** What sums are about; see `salesSums.about`. Several for the brand's offer, which the oldest orders don't name. */
export type About = readonly string[];
export type Scope = { currency: string; about: About };
type Stretch = { from: number; until: number };

/** How many rows of sums a statement reads at most, more or less: about 5 ms. */
const mostRows = 6_000;

/** The sales of each stretch of time. */
export async function salesIn(ctx: Ctx, { currency, about }: Scope, stretches: Stretch[]): Promise<Sales[]> {
  const found = await addUp(stretches, noSales, (pieces) =>
    ctx.store.db
      .select({ index: pieceIndex, ...sumsOf })
      .from(sql`json_each(${pieces}) AS p CROSS JOIN ${salesSums}`)
      .where(
        sql`${salesSums.livemode} = ${ctx.livemode ? 1 : 0} AND ${salesSums.currency} = ${currency} AND ${salesSums.about} IN ${[...about]} AND ${isOfPiece(salesSums)}`,
      )
      .groupBy(sql`p.key`),
  );
  return found;
}

/** By how much the number of active licences changed in each stretch of time. */
export async function licenceChangesIn(ctx: Ctx, about: About, stretches: Stretch[]): Promise<number[]> {
  const found = await addUp(stretches, { change: 0 }, (pieces) =>
    ctx.store.db
      .select({ index: pieceIndex, change: summed(licenceSums.change) })
      .from(sql`json_each(${pieces}) AS p CROSS JOIN ${licenceSums}`)
      .where(
        sql`${licenceSums.livemode} IN ${[ctx.livemode ? 1 : 0, 2]} AND ${licenceSums.about} IN ${[...about]} AND ${isOfPiece(licenceSums)}`,
      )
      .groupBy(sql`p.key`),
  );
  return found.map(({ change }) => change);
}

/** How many accounts were made in each stretch of time. */
export async function accountsIn(ctx: Ctx, stretches: Stretch[]): Promise<number[]> {
  const found = await addUp(stretches, { created: 0 }, (pieces) =>
    ctx.store.db
      .select({ index: pieceIndex, created: summed(accountSums.created) })
      .from(sql`json_each(${pieces}) AS p CROSS JOIN ${accountSums}`)
      .where(isOfPiece(accountSums))
      .groupBy(sql`p.key`),
  );
  return found.map(({ created }) => created);
}

/** Sales by what they are about: offers or codes, by the prefix. */
export async function salesAbout(
  ctx: Ctx,
  { currency, prefix }: { currency: string; prefix: string },
  { from, until }: Stretch,
): Promise<Map<string, Sales>> {
  const sums = new Map<string, Sales>();
  for (const part of partsOf(piecesOf(from, until))) {
    const rows = await ctx.store.db
      .select({ about: sql<string>`${salesSums.about}`, ...sumsOf })
      .from(
        sql`json_each(${asJson(part.map((piece) => ({ index: 0, ...piece })))}) AS p CROSS JOIN ${salesSums}`,
      )
      .where(
        sql`${isOfPiece(salesSums)} AND ${salesSums.livemode} = ${ctx.livemode ? 1 : 0} AND ${salesSums.currency} = ${currency} AND ${salesSums.about} >= ${prefix} AND ${salesSums.about} < ${`${prefix}\u{10FFFF}`}`,
      )
      .groupBy(salesSums.about);
    for (const { about, ...row } of rows) sums.set(about, added(sums.get(about) ?? noSales, row));
    await othersTurn();
  }
  return sums;
}

/** All sales about each of these so far, in the shop's currency. The sums by day are complete at any time. */
export async function salesSoFar(ctx: Ctx, about: About): Promise<Map<string, Sales>> {
  if (about.length === 0) return new Map();
  const rows = await ctx.store.db
    .select({ about: salesSums.about, ...sumsOf })
    .from(salesSums)
    .where(
      and(
        eq(salesSums.livemode, ctx.livemode),
        eq(salesSums.currency, ctx.currency),
        inArray(salesSums.about, [...about]),
        eq(salesSums.span, day),
      ),
    )
    .groupBy(salesSums.about);
  return new Map(rows.map(({ about: name, ...sales }) => [name, sales]));
}

const summed = (column: Parameters<typeof sql>[1]) => sql<number>`sum(${column})`;
const sumsOf = {
  gross: summed(salesSums.gross),
  off: summed(salesSums.off),
  refunded: summed(salesSums.refunded),
  disputed: summed(salesSums.disputed),
  payments: summed(salesSums.payments),
  orders: summed(salesSums.orders),
  checkouts: summed(salesSums.checkouts),
};

type Spanned = typeof salesSums | typeof licenceSums | typeof accountSums;
const isOfPiece = ({ span, at }: Spanned) =>
  sql`${span} = p.value ->> 1 AND ${at} >= p.value ->> 2 AND ${at} < p.value ->> 3`;
const pieceIndex = sql<number>`p.value ->> 0`;

type Indexed = Piece & { index: number };

/** Adds up the rows of each stretch; several statements where it is long, between which requests are served. */
async function addUp<Row extends Record<string, number>>(
  stretches: Stretch[],
  nothing: Row,
  read: (pieces: string) => PromiseLike<(Row & { index: number })[]>,
): Promise<Row[]> {
  const sums = stretches.map(() => nothing);
  const pieces = stretches.flatMap(({ from, until }, index) =>
    piecesOf(from, until).map((piece) => ({ index, ...piece })),
  );
  for (const part of partsOf(pieces)) {
    for (const { index, ...row } of await read(asJson(part))) {
      sums[index] = added(sums[index] ?? nothing, row as unknown as Row);
    }
    await othersTurn();
  }
  return sums;
}

const asJson = (pieces: Indexed[]) =>
  JSON.stringify(pieces.map(({ index, span, from, until }) => [index, span, from, until]));

/** Pieces of at most {@link mostRows} rows together. */
function partsOf<P extends Piece>(pieces: P[]): P[][] {
  const parts: P[][] = [];
  let rows = Infinity;
  for (const piece of pieces) {
    rows += (piece.until - piece.from) / piece.span;
    if (rows > mostRows) {
      parts.push([]);
      rows = (piece.until - piece.from) / piece.span;
    }
    parts.at(-1)?.push(piece);
  }
  return parts;
}

const added = <Row extends Record<string, number>>(one: Row, other: Row): Row =>
  Object.fromEntries(Object.entries(one).map(([name, value]) => [name, value + (other[name] ?? 0)])) as Row;
