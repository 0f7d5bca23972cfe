import { and, desc, gte, lt, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Ctx } from "@/core/database/context";
import { yieldToEventLoop } from "@/core/base/yield";

type PartQuery = {
  /** A `json_array` of what is wanted of each row. */
  row: SQL;
  /** When each row counts; its table is read by an index of it. */
  at: SQLiteColumn;
  which: SQL | undefined;
  /** About how many rows one statement reads. */
  together?: number | undefined;
  most: number;
};

/**
 * The rows of a stretch of time, the newest parts first, up to about `most`; requests are served between two parts. A
 * part comes as one text, because the driver takes longer for a cell than SQLite for a row.
 */
export async function inParts<Row>(
  { store: { db } }: Ctx,
  stretch: { from: number; until: number },
  { row, at, which, together = 1_000, most }: PartQuery,
  rowOf: (cells: never) => Row,
): Promise<{ rows: Row[]; more: boolean }> {
  const rows: Row[] = [];
  let { until } = stretch;
  while (until > stretch.from && rows.length < most) {
    const isBefore = and(which, lt(at, new Date(until)));
    const first = db
      .select({ at })
      .from(at.table)
      .where(and(isBefore, gte(at, new Date(stretch.from))))
      .orderBy(desc(at))
      .limit(1)
      .offset(together - 1);
    const [part] = await db
      .select({
        from: sql<number | null>`min(${at})`,
        rows: sql<string>`json_group_array(${row})`,
      })
      .from(at.table)
      // the only lower bound, since SQLite searches by one and compares the other with every row above it
      .where(and(isBefore, sql`${at} >= coalesce((${first}), ${stretch.from})`));
    for (const cells of JSON.parse(part?.rows ?? "[]") as never[]) rows.push(rowOf(cells));
    until = part?.from ?? stretch.from;
    await yieldToEventLoop();
  }
  return { rows, more: until > stretch.from };
}
