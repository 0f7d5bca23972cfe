import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { yieldToEventLoop } from "../base/yield";

/** The most rows of a list that one query reads or one answer holds. */
export const pageRows = 100;

/** A row's place in a list ordered by time, then by id. */
export type Place = { at: Date; id: string };

/** Before every row of a list with the newest first, so that its first page is a search by the index as well. */
export const theFuture: Place = { at: new Date(8_640_000_000_000_000), id: "\u{10FFFF}" };

/** The same for a list with the oldest row first. */
export const thePast: Place = { at: new Date(0), id: "" };

/** The condition for rows after that place in a list with the newest row first; no condition without a place. */
export const olderThan = (place: Place | null, at: SQLWrapper, id: SQLWrapper): SQL | undefined =>
  place ? sql`(${at}, ${id}) < (${place.at.getTime()}, ${place.id})` : undefined;

/** The same for a list with the oldest row first. */
export const newerThan = (place: Place | null, at: SQLWrapper, id: SQLWrapper): SQL | undefined =>
  place ? sql`(${at}, ${id}) > (${place.at.getTime()}, ${place.id})` : undefined;

/** Every page of a list; `read` gets the place after which a page begins. Requests run between pages. */
export async function* everyPage<Row>(
  read: (after: Place | null, most: number) => Promise<Row[]>,
  placeOf: (row: Row) => Place,
  most = pageRows,
): AsyncGenerator<Row[]> {
  for (let after: Place | null = null; ;) {
    const page: Row[] = await read(after, most);
    if (page.length > 0) yield page;
    const last = page.at(-1);
    if (!last || page.length < most) return;
    after = placeOf(last);
    // local queries are synchronous
    await yieldToEventLoop();
  }
}
