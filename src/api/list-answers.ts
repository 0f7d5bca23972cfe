import { z } from "@hono/zod-openapi";
import { cursorOf, pageEnvelope, placeOf } from "@/contract/wire/pages";
import { pageRows, type Place } from "@/core/database/pages";
import { refused } from "./answers";

/** The most bytes in an answer; a page of large rows holds fewer of them. */
const mostBytes = 190_000;

/** The answers of a call that lists rows, a page at a time. */
export const listAnswers = <S extends z.ZodType>(description: string, row: S) =>
  pageAnswers(description, z.array(row));

/** {@link listAnswers} with the rows inside other data. */
export const pageAnswers = <S extends z.ZodType>(description: string, data: S) => ({
  200: { description, content: { "application/json": { schema: pageEnvelope(data) } } },
  "4XX": refused,
  "5XX": refused,
});

/** The place after which the requested page begins; null for the first page. */
export const placeIn = ({ before }: { before?: string | undefined }): Place | null =>
  before === undefined ? null : placeOf(before);

type RowMapping<Row, Wire> = { wire: (row: Row) => Wire; place: (row: Row) => Place };

/** How many rows to read for a page: one more than it holds, to learn whether another page follows. */
export const rowsToRead = pageRows + 1;

/** The answer `{status, data, next}` for a page, from the rows read for it. */
export function pageAnswer<Row, Wire>(read: Row[], listing: RowMapping<Row, Wire>) {
  const { rows, next } = cutPage(read, listing);
  return { status: 200 as const, data: rows, next };
}

/** The rows that fit in one answer, and where the next page begins. */
export function cutPage<Row, Wire>(read: Row[], { wire, place }: RowMapping<Row, Wire>) {
  const rows: Wire[] = [];
  let bytes = 0;
  for (const row of read.slice(0, pageRows)) {
    const written = wire(row);
    bytes += Buffer.byteLength(JSON.stringify(written)) + 1;
    if (bytes > mostBytes && rows.length > 0) break;
    rows.push(written);
  }
  const last = read[rows.length - 1];
  return { rows, next: last && rows.length < read.length ? cursorOf(place(last)) : null };
}
