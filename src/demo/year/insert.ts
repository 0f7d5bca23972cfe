import { getTableColumns, getTableName } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Built } from "@/core/database/commit";

/**
 * Inserts many rows with the same columns, encoded by their columns: building each statement by drizzle takes longer
 * than running it. Every row has the same statement, so that the database prepares it once.
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
  const sql = `INSERT INTO "${getTableName(table)}" (${names}) VALUES ${marks}`;
  return rows.map((row) => ({ toSQL: () => ({ sql, params: encoded(row) }) }));
}
