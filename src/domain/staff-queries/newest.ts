import { and, desc, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Ctx } from "@/core/database/context";
import { olderThan, type Place, theFuture } from "@/core/database/pages";

/** Which rows of a list are asked for: at most `most` after a place, or the newest. */
export type Page = { after: Place | null; most: number };

/** The order of a list: by a moment and the id of its rows. */
export type ListColumns = { at: SQLiteColumn; id: SQLiteColumn };

/** Which rows meet a list's filters. */
export type RowFilter = {
  /** No row meets two of these, and an index answers each of them in the order of the list. */
  conditions: (SQL | undefined)[];
  /** Further rows: a few, in any order. */
  few?: Place[];
};

/** The places of a page of a list, newest first. */
export async function pageOfPlaces(
  ctx: Ctx,
  listed: ListColumns,
  which: RowFilter,
  page: Page,
): Promise<Place[]> {
  const ordered = await newestPlaces(ctx, listed, which.conditions, page);
  const few = (which.few ?? []).filter((place) => page.after === null || newestFirst(page.after, place) < 0);
  return newest([...ordered, ...few], page.most);
}

/** The places of the newest rows that meet one of a list's conditions. */
export async function newestPlaces(
  ctx: Ctx,
  { at, id }: ListColumns,
  conditions: (SQL | undefined)[],
  { after, most }: Page,
): Promise<Place[]> {
  const found = await Promise.all(
    conditions.map((condition) =>
      ctx.store.db
        .select({ at: sql<number>`${at}`, id: sql<string>`${id}` })
        .from(at.table)
        .where(and(condition, olderThan(after ?? theFuture, at, id)))
        .orderBy(desc(at), desc(id))
        .limit(most),
    ),
  );
  return newest(
    found.flat().map((row) => ({ at: new Date(row.at), id: row.id })),
    most,
  );
}

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
