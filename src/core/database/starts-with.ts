import { type SQL, type SQLWrapper, sql } from "drizzle-orm";

/** The condition that a column's text starts so, as a range, which its index answers. */
export const startsWith = (text: SQLWrapper, prefix: string): SQL =>
  sql`(${text} >= ${prefix} AND ${text} < ${`${prefix}\u{10FFFF}`})`;
