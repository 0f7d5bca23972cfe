import { is, Param, Placeholder, type Query, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Write } from "./commit";
import type { Store } from "./database";

type Build = (db: Store["db"]) => { prepare(): { getQuery(): Query } };

/**
 * A write that is built once and then only filled in, for the few that stand in nearly every commit:
 * building the same statement anew costs more than running it. The values bear the names of the
 * placeholders, and are encoded as their columns have it.
 */
export function preparedWrite(build: Build) {
  let query: Query | undefined;
  return ({ db }: Store, values: Record<string, unknown>): Write => {
    query ??= build(db).prepare().getQuery();
    const { sql: text, params } = query;
    return { toSQL: () => ({ sql: text, params: params.map((param) => filled(param, values)) }) };
  };
}

/** A value to be filled in, encoded as the column has it; where the query builder takes no placeholder. */
export const placeholderFor = (column: SQLiteColumn, name: string): SQL =>
  sql`${sql.param(sql.placeholder(name), column)}`;

function filled(param: unknown, values: Record<string, unknown>): unknown {
  if (is(param, Placeholder)) return valueOf(param, values);
  if (!is(param, Param) || !is(param.value, Placeholder)) return param;
  const value = valueOf(param.value, values);
  return value === null ? null : param.encoder.mapToDriverValue(value);
}

function valueOf({ name }: Placeholder, values: Record<string, unknown>): unknown {
  if (!(name in values)) throw new Error(`nothing was given for ${name}`);
  return values[name] ?? null;
}
