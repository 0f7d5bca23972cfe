import { getTableColumns, type InferSelectModel, type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";

/**
 * A table's row as one column of a query. The driver asks SQLite about every column of every answer
 * anew, twice, which for a wide row takes longer than finding it (88 µs against 150 for the signed-in
 * account). For columns that hold texts and numbers, moments included; no blobs.
 */
export function packed<T extends SQLiteTable>(table: T): SQL<InferSelectModel<T>> {
  const columns = Object.entries(getTableColumns(table));
  const values = sql.join(
    columns.map(([, column]) => column),
    sql`, `,
  );
  return sql<InferSelectModel<T>>`json_array(${values})`.mapWith((text: string) => {
    const row: unknown[] = JSON.parse(text);
    const read = columns.map(([name, column], at) => [
      name,
      row[at] === null ? null : column.mapFromDriverValue(row[at]),
    ]);
    // the columns of the table, read as the table reads them
    return Object.fromEntries(read) as InferSelectModel<T>;
  });
}
