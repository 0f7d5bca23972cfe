import { type SQL, type SQLWrapper, sql } from "drizzle-orm";

/** The most rows of a list that are read or answered at once. */
export const pageRows = 100;

/** A row's place in a list that is ordered by a moment, and by id where moments are equal. */
export type Place = { at: Date; id: string };

/** As a condition: after that place in a list whose newest row is first. Anywhere without a place. */
export const olderThan = (place: Place | null, at: SQLWrapper, id: SQLWrapper): SQL | undefined =>
  place ? sql`(${at}, ${id}) < (${place.at.getTime()}, ${place.id})` : undefined;

/** The same in a list whose oldest row is first. */
export const newerThan = (place: Place | null, at: SQLWrapper, id: SQLWrapper): SQL | undefined =>
  place ? sql`(${at}, ${id}) > (${place.at.getTime()}, ${place.id})` : undefined;

/** Every page of a list, from `read` with the place after which it begins; requests are served in between. */
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
    await new Promise(setImmediate);
  }
}
