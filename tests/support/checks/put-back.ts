import type { Client, InStatement } from "@libsql/client";

/** The statement that restores a changed or deleted row, by default the table's only one; `key` is its unique column. */
export async function putBack(
  client: Client,
  table: string,
  { which = "true", key = "id" } = {},
): Promise<InStatement> {
  const own = await client.execute(`SELECT name FROM pragma_table_xinfo('${table}') WHERE hidden = 0`);
  const columns = own.rows.map(({ name }) => name as string);
  const { rows } = await client.execute(`SELECT ${columns.join()} FROM ${table} WHERE ${which}`);
  const values = columns.map(() => "?").join();
  const changes = columns.map((name) => `${name} = excluded.${name}`).join();
  return {
    sql: `INSERT INTO ${table} (${columns.join()}) VALUES (${values}) ON CONFLICT (${key}) DO UPDATE SET ${changes}`,
    args: columns.map((name) => rows[0]?.[name] ?? null),
  };
}
