import { z } from "@hono/zod-openapi";
import { cursorOf, pageEnvelope, placeOf } from "@/contract/pages";
import { pageRows, type Place } from "@/core/pages";
import { refused } from "./answers";

/** What an answer may weigh; of rows that are large, fewer are answered. */
const mostBytes = 190_000;

/** The answers of a call that lists rows, a page at a time. */
export const listAnswers = <S extends z.ZodType>(description: string, row: S) =>
  pageAnswers(description, z.array(row));

/** The same where the rows stand within something else. */
export const pageAnswers = <S extends z.ZodType>(description: string, data: S) => ({
  200: { description, content: { "application/json": { schema: pageEnvelope(data) } } },
  "4XX": refused,
  "5XX": refused,
});

/** The place after which the asked page begins; null for the first. */
export const placeIn = ({ before }: { before?: string | undefined }): Place | null =>
  before === undefined ? null : placeOf(before);

type Listing<Row, Wire> = { wire: (row: Row) => Wire; place: (row: Row) => Place };

/** How many rows to read for a page: one more than it holds, which says that there are further ones. */
export const rowsToRead = pageRows + 1;

/** `{status, data, next}` of a page, from the rows that were read for it. */
export function page<Row, Wire>(read: Row[], listing: Listing<Row, Wire>) {
  const { rows, next } = cut(read, listing);
  return { status: 200 as const, data: rows, next };
}

/** The rows that fit in one answer, and where the next page begins. */
export function cut<Row, Wire>(read: Row[], { wire, place }: Listing<Row, Wire>) {
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
