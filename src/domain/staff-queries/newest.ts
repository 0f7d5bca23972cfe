import { and, asc, desc, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Ctx } from "@/core/database/context";
import { newerThan, olderThan, type Place, theFuture, thePast } from "@/core/database/pages";

/** Which rows of a list are asked for: at most `most` after a place, or the newest. */
export type Page = { after: Place | null; most: number };

/** The order of a list: by a moment and the id of its rows, newest first unless it says otherwise. */
export type ListColumns = { at: SQLiteColumn; id: SQLiteColumn; oldestFirst?: true };

/** Which rows meet a list's filters. */
export type RowFilter = {
  /** No row meets two of these, and an index answers each of them in the order of the list. */
  conditions: (SQL | undefined)[];
  /** Further rows: a few, in any order. */
  few?: Place[];
  /** The order in which these filters show the list, if it isn't the list's own; then there are no few. */
  order?: ListColumns;
};

/** The places of a page of a list, in its order. */
export async function pageOfPlaces(
  ctx: Ctx,
  listed: ListColumns,
  which: RowFilter,
  page: Page,
): Promise<Place[]> {
  const ordered = await newestPlaces(ctx, which.order ?? listed, which.conditions, page);
  if (which.order) return ordered;
  const few = (which.few ?? []).filter((place) => page.after === null || newestFirst(page.after, place) < 0);
  return newest([...ordered, ...few], page.most);
}

/** The places of the first rows that meet one of a list's conditions. */
export async function newestPlaces(
  ctx: Ctx,
  order: ListColumns,
  conditions: (SQL | undefined)[],
  { after, most }: Page,
): Promise<Place[]> {
  const { at, id, oldestFirst } = order;
  const found = await Promise.all(
    conditions.map((condition) =>
      ctx.store.db
        .select({ at: sql<number>`${at}`, id: sql<string>`${id}` })
        .from(at.table)
        .where(and(condition, isPast(order, after)))
        .orderBy(...inOrder(order))
        .limit(most),
    ),
  );
  const places = found.flat().map((row) => ({ at: new Date(row.at), id: row.id }));
  if (!oldestFirst) return newest(places, most);
  return places.toSorted((one, other) => newestFirst(other, one)).slice(0, most);
}

/** As a condition: a row comes after this place in an order, or anywhere in it. */
export const isPast = ({ at, id, oldestFirst }: ListColumns, place: Place | null): SQL | undefined =>
  oldestFirst ? newerThan(place ?? thePast, at, id) : olderThan(place ?? theFuture, at, id);

export const inOrder = ({ at, id, oldestFirst }: ListColumns): SQL[] =>
  oldestFirst ? [asc(at), asc(id)] : [desc(at), desc(id)];

export const newest = (places: Place[], most: number): Place[] => places.toSorted(newestFirst).slice(0, most);

const newestFirst = (one: Place, other: Place): number =>
  other.at.getTime() - one.at.getTime() || (other.id < one.id ? -1 : 1);

/** The combinations of several filters, each of which is a list of alternative conditions. */
export const everyCombination = (...filters: (SQL | undefined)[][]): (SQL | undefined)[] =>
  filters.reduce((all, some) => all.flatMap((one) => some.map((other) => and(one, other))));

type OfOffer = { offer: string | undefined; customer: string | undefined };

/** As a condition: the plus makes SQLite use the index of the account. */
export const ofOffer = (column: SQLiteColumn, { offer, customer }: OfOffer): SQL | undefined =>
  offer ? sql`${customer ? sql`+${column}` : column} = ${offer}` : undefined;

/** Rows in the order of these ids, without rows that are gone by now. */
export function inOrderOfIds<Row extends { id: string }>(ids: string[], rows: Row[]): Row[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** As conditions: within a list's range of time. */
export const withinRange = (at: SQLiteColumn, { since, until }: { since: Date | null; until: Date | null }) =>
  and(
    since ? sql`${at} >= ${since.getTime()}` : undefined,
    until ? sql`${at} < ${until.getTime()}` : undefined,
  );
