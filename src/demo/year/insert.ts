import { getTableColumns, getTableName } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Built } from "@/core/commit";

/** Whole pages and single rows have the same statements every time, so that the database prepares them once. */
const page = 1;

/**
 * Inserts many rows with the same columns in few statements, encoded by their columns: building each row by drizzle
 * takes longer than inserting it.
 */
export function insertAll<T extends SQLiteTable>(table: T, rows: T["$inferInsert"][]): Built[] {
  const [first] = rows;
  if (!first) return [];
  const columns = Object.entries(getTableColumns(table)).filter(([property]) => property in first);
  const names = columns.map(([, { name }]) => `"${name}"`).join(", ");
  const marks = `(${columns.map(() => "?").join(", ")})`;
  const encoded = (row: Record<string, unknown>) =>
    columns.map(([property, column]) => {
      const value = row[property] ?? null;
      return value === null ? null : column.mapToDriverValue(value);
    });
  const insert = (some: T["$inferInsert"][]): Built => {
    const sql = `INSERT INTO "${getTableName(table)}" (${names}) VALUES ${some.map(() => marks).join(", ")}`;
    return { toSQL: () => ({ sql, params: some.flatMap(encoded) }) };
  };
  const pages = Math.floor(rows.length / page);
  return [
    ...Array.from({ length: pages }, (_, at) => insert(rows.slice(at * page, (at + 1) * page))),
    ...rows.slice(pages * page).map((row) => insert([row])),
  ];
}
