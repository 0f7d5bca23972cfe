import { and, asc, desc, eq, inArray, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { day } from "@/contract/vocabulary/time";
import type { Ctx } from "@/core/database/context";
import { othersTurn } from "@/core/base/others-turn";
import { accountSums, licenceSums, recurringSums, salesSums } from "../schema/figures";
import { type Piece, piecesOf, spans } from "./buckets";

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

/** What sums are about; see `salesSums.about`. */
export type About = readonly string[];
export type Scope = { currency: string; about: About };
type Stretch = { from: number; until: number };

/** How many rows of sums a statement reads at most, roughly; that takes about 5 ms. */
const mostRows = 750;
/** How many moments a statement reads at most where each has a row for every code that was used then. */
const mostMoments = 60;

/** The sales of each stretch of time. */
export async function salesIn(ctx: Ctx, { currency, about }: Scope, stretches: Stretch[]): Promise<Sales[]> {
  return addUp(stretches, noSales, (pieces) =>
    ctx.store.db
      .select({ index: pieceIndex, ...sumsOf })
      .from(sql`${asTable(pieces)} CROSS JOIN ${salesSums}`)
      .where(
        sql`${salesSums.livemode} = ${ctx.livemode ? 1 : 0} AND ${salesSums.currency} = ${currency} AND ${isAbout(salesSums.about, about)} AND ${isOfPiece(salesSums)}`,
      )
      .groupBy(pieceIndex),
  );
}

/** By how much the number of active licences changed in each stretch of time. */
export async function licenceChangesIn(ctx: Ctx, about: About, stretches: Stretch[]): Promise<number[]> {
  const found = await addUp(stretches, { change: 0 }, (pieces) =>
    ctx.store.db
      .select({ index: pieceIndex, change: summed(licenceSums.change) })
      .from(sql`${asTable(pieces)} CROSS JOIN ${licenceSums}`)
      .where(
        sql`${licenceSums.livemode} IN ${[ctx.livemode ? 1 : 0, 2]} AND ${isAbout(licenceSums.about, about)} AND ${isOfPiece(licenceSums)}`,
      )
      .groupBy(pieceIndex),
  );
  return found.map(({ change }) => change);
}

/** What running subscriptions are worth in a year, minor units, and how many they are. */
export type Recurring = { yearly: number; running: number };

/** By how much that changed in each stretch of time. */
export const recurringChangesIn = (
  ctx: Ctx,
  { currency, about }: Scope,
  stretches: Stretch[],
): Promise<Recurring[]> =>
  addUp(stretches, { yearly: 0, running: 0 }, (pieces) =>
    ctx.store.db
      .select({
        index: pieceIndex,
        yearly: summed(recurringSums.change),
        running: summed(recurringSums.running),
      })
      .from(sql`${asTable(pieces)} CROSS JOIN ${recurringSums}`)
      .where(
        sql`${recurringSums.livemode} = ${ctx.livemode ? 1 : 0} AND ${recurringSums.currency} = ${currency} AND ${isAbout(recurringSums.about, about)} AND ${isOfPiece(recurringSums)}`,
      )
      .groupBy(pieceIndex),
  );

/** How many accounts were made in each stretch of time. */
export async function accountsIn(ctx: Ctx, stretches: Stretch[]): Promise<number[]> {
  const found = await addUp(stretches, { created: 0 }, (pieces) =>
    ctx.store.db
      .select({ index: pieceIndex, created: summed(accountSums.created) })
      .from(sql`${asTable(pieces)} CROSS JOIN ${accountSums}`)
      .where(isOfPiece(accountSums))
      .groupBy(pieceIndex),
  );
  return found.map(({ created }) => created);
}

/** The sales of each offer or each code, by the prefix of `about`. */
export async function salesAbout(
  ctx: Ctx,
  { currency, prefix }: { currency: string; prefix: string },
  stretch: Stretch,
): Promise<Map<string, Sales>> {
  const sums = new Map<string, Sales>();
  const { from, until } = await soldIn(ctx, stretch);
  for (const part of partsOf(piecesOf(from, until).flatMap(cut), mostMoments)) {
    const rows = await ctx.store.db
      .select({ about: sql<string>`${salesSums.about}`, ...sumsOf })
      .from(sql`${asTable(part.map((piece) => ({ index: 0, ...piece })))} CROSS JOIN ${salesSums}`)
      .where(
        sql`${isOfPiece(salesSums)} AND ${salesSums.livemode} = ${ctx.livemode ? 1 : 0} AND ${salesSums.currency} = ${currency} AND ${salesSums.about} >= ${prefix} AND ${salesSums.about} < ${`${prefix}\u{10FFFF}`}`,
      )
      .groupBy(salesSums.about);
    for (const { about, ...row } of rows) sums.set(about, added(sums.get(about) ?? noSales, row, 1));
    await othersTurn();
  }
  return sums;
}

/** The part of a stretch in which there can be sales; any range of days may be asked for. */
async function soldIn(ctx: Ctx, { from, until }: Stretch): Promise<Stretch> {
  const dayAt = async (order: SQL) => {
    const days = ctx.store.db.select({ at: salesSums.at }).from(salesSums).where(eq(salesSums.span, day));
    return (await days.orderBy(order).limit(1))[0]?.at.getTime();
  };
  const [first, last] = await Promise.all([dayAt(asc(salesSums.at)), dayAt(desc(salesSums.at))]);
  if (first === undefined || last === undefined) return { from, until: from };
  return { from: Math.max(from, first), until: Math.min(until, last + day) };
}

/** A piece in parts of at most {@link mostMoments} rows each. */
function cut({ span, from, until }: Piece): Piece[] {
  const part = span * mostMoments;
  return Array.from({ length: Math.ceil((until - from) / part) }, (_, index) => {
    const begins = from + index * part;
    return { span, from: begins, until: Math.min(begins + part, until) };
  });
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

type Spanned = typeof salesSums | typeof licenceSums | typeof accountSums | typeof recurringSums;
const isOfPiece = ({ span, at }: Spanned) => sql`${span} = p.span AND ${at} >= p.since AND ${at} < p.until`;
const pieceIndex = sql<number>`p.piece`;
/** A single one as an equality, which the index serves best. */
const isAbout = (column: SQLWrapper, about: About) =>
  about.length === 1 ? sql`${column} = ${about[0]}` : sql`${column} IN ${[...about]}`;

type Indexed = Piece & { index: number };

/** Pieces as a table; with the limit, SQLite reads each piece's text once instead of once for every row of sums. */
const asTable = (pieces: Indexed[]) =>
  sql`(SELECT value ->> 0 AS piece, value ->> 1 AS span, value ->> 2 AS since, value ->> 3 AS until FROM json_each(${asJson(pieces)}) LIMIT -1) AS p`;

/**
 * Adds up the rows of each stretch: whole UTC days, and the time between each end and the nearest midnight, which is
 * read once for the two stretches that meet there.
 */
async function addUp<Row extends Record<string, number>>(
  stretches: Stretch[],
  nothing: Row,
  read: (pieces: Indexed[]) => PromiseLike<(Row & { index: number })[]>,
): Promise<Row[]> {
  const ends = [...new Set(stretches.flatMap(({ from, until }) => [from, until]))];
  const middles = stretches.map(({ from, until }) => ({ from: midnightBy(from), until: midnightBy(until) }));
  const wanted = [
    ...middles,
    ...ends.map((end) => ({ from: Math.min(end, midnightBy(end)), until: Math.max(end, midnightBy(end)) })),
  ];
  const sums = await sumUp(wanted, nothing, read);
  const edge = (end: number): [Row, number] => [
    sums[stretches.length + ends.indexOf(end)] ?? nothing,
    end < midnightBy(end) ? -1 : 1,
  ];
  return stretches.map(({ from, until }, index) => {
    const [first, ahead] = edge(from);
    const [last, behind] = edge(until);
    return added(added(sums[index] ?? nothing, first, -ahead), last, behind);
  });
}

const midnightBy = (at: number): number => Math.round(at / spans.day) * spans.day;

/** In several statements if there are many rows; requests are served between two of them. */
async function sumUp<Row extends Record<string, number>>(
  stretches: Stretch[],
  nothing: Row,
  read: (pieces: Indexed[]) => PromiseLike<(Row & { index: number })[]>,
): Promise<Row[]> {
  const sums = stretches.map(() => nothing);
  const pieces = stretches.flatMap(({ from, until }, index) =>
    piecesOf(from, until).map((piece) => ({ index, ...piece })),
  );
  for (const part of partsOf(pieces, mostRows)) {
    for (const row of await read(part)) sums[row.index] = added(sums[row.index] ?? nothing, row, 1);
    await othersTurn();
  }
  return sums;
}

const asJson = (pieces: Indexed[]) =>
  JSON.stringify(pieces.map(({ index, span, from, until }) => [index, span, from, until]));

/** The pieces in parts that have at most so many rows each. */
function partsOf<P extends Piece>(pieces: P[], most: number): P[][] {
  const parts: P[][] = [];
  let rows = Infinity;
  for (const piece of pieces) {
    const own = Math.min((piece.until - piece.from) / piece.span, most);
    rows += own;
    if (rows > most) {
      parts.push([]);
      rows = own;
    }
    parts.at(-1)?.push(piece);
  }
  return parts;
}

const added = <Row extends Record<string, number>>(one: Row, other: Row, times: number): Row =>
  Object.fromEntries(
    Object.entries(one).map(([name, value]) => [name, value + times * (other[name] ?? 0)]),
  ) as Row;
