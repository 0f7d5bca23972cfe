import { z } from "zod";
import type { CsvCell } from "@/core/base/csv-line";

/** A column of a file: its name, and where a row has its value. */
export type Column = { name: string; path: string[] };

/** The columns of rows of a shape: their fields, nested ones joined by `_`. */
export function columnsOf(shape: z.ZodType, path: string[] = []): Column[] {
  const inner = withoutNull(shape);
  if (!(inner instanceof z.ZodObject)) return [{ name: path.join("_"), path }];
  return Object.entries(inner.shape).flatMap(([name, field]) =>
    columnsOf(field as z.ZodType, [...path, name]),
  );
}

const withoutNull = (shape: z.ZodType): z.ZodType =>
  shape instanceof z.ZodNullable ? withoutNull(shape.unwrap() as z.ZodType) : shape;

/** A row's cells, in the order of the columns. */
export const cellsOf = (columns: Column[], row: object): CsvCell[] =>
  columns.map(({ path }) => cellOf(path.reduce<unknown>(fieldOf, row)));

const fieldOf = (held: unknown, name: string): unknown =>
  typeof held === "object" && held !== null ? (held as Record<string, unknown>)[name] : null;

/** What isn't a single value, such as an event's details, becomes JSON. */
function cellOf(value: unknown): CsvCell {
  if (value === null || value === undefined) return null;
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  return JSON.stringify(value);
}
