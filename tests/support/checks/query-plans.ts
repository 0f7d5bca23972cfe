/**
 * Whether a query of a request or a timer takes longer the more customers a shop has: local queries are
 * synchronous, so a slow one holds up everybody. Checked with `EXPLAIN QUERY PLAN` on an empty database, where SQLite
 * knows nothing about the tables' sizes. https://www.sqlite.org/eqp.html
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Client } from "@libsql/client";
import { openStore } from "@/core/database/database";

/** Tables whose size doesn't depend on the number of customers. */
const constant: Record<string, string> = {
  releases: "as many as versions were published",
  builds: "a few for each release",
  news: "written by hand",
  installation: "facts about the installation",
  levels: "at most twenty",
  offers: "a few, made by hand",
  webhook_endpoints: "fifty at most, and those being removed",
  stripe_endpoints: "those that were made and are still there",
  staff: "people who work for the shop",
  leases: "one for each kind of work",
  change_clock: "one row",
  __drizzle_migrations: "one for each migration",
};

/** An equality on one of these finds one thing's rows; on others, such as a state, any number. */
const identifying = /\b(\w+_)?(id|rowid|key|hash|number|subject|name|tail)=\?/;
/** From one moment to another. */
const window = /(\w+)>\? AND \1<\?/;

type Step = { id: number; parent: number; detail: string };
type Plan = { steps: Step[]; sql: string; partial: Set<string> };
/** The columns that name one row of their table each, its primary key first; without tables whose key is composed. */
type Keys = Map<string, string[]>;

/**
 * A sentence for each query that uses no index, sorts an unlimited number of rows, or names rows by their primary key
 * and yet searches by another index.
 */
export async function complainAbout(statements: string[]): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), "latchkey-plans-"));
  const store = await openStore({ url: `file:${join(folder, "shop.db")}` });
  try {
    const complaints = await unindexedReferences(store.client);
    const partial = await partialIndexes(store.client);
    const keys = await primaryKeys(store.client);
    for (const sql of statements) {
      const steps = await planOf(store.client, sql);
      for (const complaint of steps.flatMap((step) => complaintAbout(step, { steps, sql, partial }))) {
        complaints.push(`${complaint}\n    ${sql}`);
      }
      complaints.push(...pastItsKey(steps, sql, keys).map((complaint) => `${complaint}\n    ${sql}`));
    }
    return complaints;
  } finally {
    store.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function planOf(client: Client, sql: string): Promise<Step[]> {
  // a condition that is never true reads nothing
  if (/ where false\b(?! or\b)/.test(sql)) return [];
  if (/^\s*(PRAGMA|VACUUM|BEGIN|COMMIT|ROLLBACK|EXPLAIN|CREATE|DROP|ALTER)\b/i.test(sql)) return [];
  try {
    const { rows } = await client.execute(`EXPLAIN QUERY PLAN ${sql}`);
    return rows.map((row) => ({
      id: Number(row["id"]),
      parent: Number(row["parent"]),
      detail: row["detail"] as string,
    }));
  } catch (error) {
    // a test's own table
    if (error instanceof Error && error.message.includes("no such table")) return [];
    throw error;
  }
}

function complaintAbout(step: Step, plan: Plan): string[] {
  const { detail } = step;
  const { steps, sql } = plan;
  const [, scanned] = /^SCAN (\S+)/.exec(detail) ?? [];
  if (scanned && isTable(scanned, sql) && !(scanned in constant) && !isCutOff(detail, plan)) return [detail];
  if (detail.includes(" AUTOMATIC ")) return [detail];
  if (!detail.startsWith("USE TEMP B-TREE")) return [];
  const beside = steps.filter(
    ({ parent, detail: other }) => parent === step.parent && !other.startsWith("USE"),
  );
  // a subquery that is limited itself
  const isOfFew = beside.some(({ detail: other }) => isOfSubquery(other, sql)) && /\blimit \?\)/i.test(sql);
  if (isOfFew) return [];
  const searches = beside
    .slice(0, 1)
    .flatMap((first) => within(first, steps))
    .filter(({ detail: other }) => other.startsWith("SEARCH"));
  const isBounded = searches.every(({ detail: other }) => identifying.test(other) || window.test(other));
  return isBounded ? [] : [`${detail}, after ${searches.map((one) => one.detail).join(" and ")}`];
}

/**
 * Rows of one table that are named by their primary key must be found by it. Another condition may tempt SQLite to the
 * index of a state, in which any number of rows stand.
 */
function pastItsKey(steps: Step[], sql: string, keys: Keys): string[] {
  const [, table = "", condition = ""] = oneTable.exec(sql) ?? [];
  const [key, ...others] = keys.get(table) ?? [];
  if (!key) return [];
  const named = new RegExp(`^(${table}\\.)?${key} (=|in) [?()]`, "i");
  if (!conjuncts(condition).some((one) => named.test(one))) return [];
  const searches = steps.filter(({ detail }) => detail.startsWith(`SEARCH ${table} `));
  const names = new RegExp(`\\((${["rowid", key, ...others].join("|")})=\\?`);
  return searches.some(({ detail }) => names.test(detail))
    ? []
    : [`${searches.map(({ detail }) => detail).join(" and ")}, not by ${table}.${key}`];
}

/** A statement that reads or changes one table, and its condition. */
const oneTable = /^(?:delete from|update|select .*? from) "?(\w+)"? (?:set .*? )?where (.*)$/is;

/** What must all be true, without what stands in brackets; nothing if one of several is enough. */
function conjuncts(condition: string): string[] {
  let outer = condition.replaceAll('"', "").replace(/^\((.*)\)(?: (?:returning|limit|order) .*)?$/is, "$1");
  for (let before = ""; before !== outer;) {
    before = outer;
    outer = outer.replaceAll(/\([^()]+\)/g, "()");
  }
  return / or /i.test(outer) ? [] : outer.split(/ and /i);
}

const within = (step: Step, steps: Step[]): Step[] => [
  step,
  ...steps.filter(({ parent }) => parent === step.id).flatMap((child) => within(child, steps)),
];

/** The first rows of an index that holds only the exceptions. */
const isCutOff = (detail: string, { sql, partial }: Plan): boolean =>
  partial.has(/USING (?:COVERING )?INDEX (\S+)/.exec(detail)?.[1] ?? "") && /\blimit \S+\)?$/i.test(sql);

/** Not a subquery, a list of values or a common table expression. */
const isTable = (name: string, sql: string): boolean =>
  !/^(\(|\d|CONSTANT$|SUBQUERY$|json_each$)/.test(name) &&
  !new RegExp(`\\b${name}\\b["\`]? *(\\([^)]*\\) )?AS \\(`, "i").test(sql) &&
  !new RegExp(`\\) *(as )?["\`]?${name}\\b`, "i").test(sql);

/** `SCAN some`: what a subquery found is read. */
function isOfSubquery(detail: string, sql: string): boolean {
  const [, name] = /^SCAN (?!CONSTANT|json_each)(\S+)/.exec(detail) ?? [];
  return name !== undefined && !isTable(name, sql);
}

/** Deleting a row searches for those that reference it: without an index, the whole table. */
async function unindexedReferences(client: Client): Promise<string[]> {
  const { rows } = await client.execute(`
    SELECT m.name || '.' || f."from" AS named FROM sqlite_master m JOIN pragma_foreign_key_list(m.name) f
    WHERE m.type = 'table' AND NOT EXISTS (
      SELECT 1 FROM pragma_index_list(m.name) i JOIN pragma_index_info(i.name) c
      WHERE c.seqno = 0 AND c.name = f."from" AND i.partial = 0)`);
  return rows.map(({ named }) => `No index begins with ${named as string}, which refers to another table.`);
}

async function partialIndexes(client: Client): Promise<Set<string>> {
  const { rows } = await client.execute(
    "SELECT name FROM sqlite_master WHERE type = 'index' AND sql LIKE '% WHERE %'",
  );
  return new Set(rows.map(({ name }) => name as string));
}

async function primaryKeys(client: Client): Promise<Keys> {
  const { rows } = await client.execute(`
    SELECT m.name AS "table", c.name AS key, coalesce((
      SELECT group_concat(own.name) FROM pragma_index_list(m.name) i JOIN pragma_index_info(i.name) own
      WHERE i."unique" = 1 AND (SELECT count(*) FROM pragma_index_info(i.name)) = 1), '') AS others
    FROM sqlite_master m JOIN pragma_table_info(m.name) c
    WHERE m.type = 'table' AND c.pk > 0 GROUP BY m.name HAVING count(*) = 1`);
  const named = (text: unknown) => (text as string).split(",").filter(Boolean);
  return new Map(rows.map(({ table, key, others }) => [table as string, [...named(key), ...named(others)]]));
}
