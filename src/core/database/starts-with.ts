import { and, type AnyColumn, gte, lt, type SQL } from "drizzle-orm";

/** The condition that a column's text starts so, as a range, which its index answers. */
export const startsWith = (column: AnyColumn, prefix: string): SQL | undefined =>
  and(gte(column, prefix), lt(column, `${prefix}\u{10FFFF}`));
