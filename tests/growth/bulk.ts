import { type Column, getTableColumns, getTableName, SQL } from "drizzle-orm";
import { SQLiteSyncDialect, type SQLiteTable } from "drizzle-orm/sqlite-core";
import Database from "libsql";

const rowsAtOnce = 40;

/** A database file that is written as fast as the disk allows; useless if the process crashes meanwhile. */
export function openBulk(path: string) {
  const database = new Database(path);
  database.exec("PRAGMA synchronous = OFF");
  database.exec("PRAGMA foreign_keys = OFF");
  database.exec("PRAGMA cache_size = -2000000");
  // an index is sorted once at the end rather than searched for every row; the log's trigger needs its own for each
  const indexes = database
    .prepare(
      "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL AND name <> 'audit_sequence'",
    )
    .all() as { name: string; sql: string }[];
  for (const { name } of indexes) database.exec(`DROP INDEX "${name}"`);
  const inserts: (() => void)[] = [];
  return {
    /** Returns a function that adds a row, checked and encoded by the table's own schema. */
    table<T extends SQLiteTable>(table: T): (row: T["$inferInsert"]) => void {
      const columns = Object.entries(getTableColumns(table)).filter(([, { generated }]) => !generated);
      const names = columns.map(([, { name }]) => `"${name}"`).join(", ");
      const marks = `(${columns.map(([, column]) => markOf(column)).join(", ")})`;
      const statement = (rows: number) =>
        database.prepare(
          `INSERT INTO "${getTableName(table)}" (${names}) VALUES ${Array.from({ length: rows }, () => marks).join(", ")}`,
        );
      const full = statement(rowsAtOnce);
      let waiting: unknown[] = [];
      const flush = () => {
        if (waiting.length > 0) statement(waiting.length / columns.length).run(waiting);
        waiting = [];
      };
      inserts.push(flush);
      return (row) => {
        const given: Record<string, unknown> = row;
        for (const [property, column] of columns) {
          const value = given[property] ?? (column.default instanceof SQL ? null : column.default) ?? null;
          waiting.push(value === null ? null : column.mapToDriverValue(value));
        }
        if (waiting.length < rowsAtOnce * columns.length) return;
        full.run(waiting);
        waiting = [];
      };
    },
    begin: () => database.exec("BEGIN"),
    commit: () => database.exec("COMMIT"),
    /** Writes what is waiting, recreates the indexes, and closes the file. */
    close(onIndex: (index: string) => void): void {
      for (const flush of inserts) flush();
      database.exec("COMMIT");
      for (const { name, sql } of indexes) {
        onIndex(name);
        database.exec(sql);
      }
      database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
      database.close();
    },
  };
}

/** Where a value stands in the statement. What the database makes by itself stands for one that is not given. */
const markOf = (column: Column): string =>
  column.default instanceof SQL
    ? `coalesce(?, ${new SQLiteSyncDialect().sqlToQuery(column.default).sql})`
    : "?";
