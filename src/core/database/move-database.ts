import { type Client, type InStatement, LibsqlError } from "@libsql/client";
import { oneLine } from "@/contract/vocabulary/plain-words";
import { ConfigError } from "../settings/config";
import {
  copyTable,
  countRows,
  type Readable,
  type RowProgress,
  type SchemaObject,
  schemaOf,
  tablesIn,
} from "./copy-rows";
import { failpoint } from "../log/failpoints";
import { refusalIn } from "../base/refusal";

/** The table that marks a database as being filled, and holds the id of the shop; dropped once all rows are there. */
export const beingMoved = "being_moved";

/** If a table still differs after this many comparisons, something is writing to it. */
const mostComparisons = 5;

type MoveOptions = {
  from: Readable;
  to: Client;
  /** Names `to` in sentences. */
  place: string;
  /** The shop's id, so that a shop continues only its own interrupted move. */
  shop: string;
  /** Called when everything was copied once; nothing may write to the source after that. */
  settle: () => Promise<void>;
  /** Written to `to` in the commit that makes it a shop. */
  last: InStatement[];
  progress: RowProgress;
};

/**
 * The id of the shop whose interrupted move a database holds, or null if the database is empty. Refuses any other
 * database ({@link ConfigError}).
 */
export async function expectFillable(to: Client, place: string): Promise<string | null> {
  const objects = await schemaOf(to);
  if (objects.length === 0) return null;
  if (!objects.some(({ name }) => name === beingMoved)) {
    throw new ConfigError(`${place} is not empty, and nothing is ever overwritten: use another database.`);
  }
  const { rows } = await to.execute(`SELECT shop FROM ${beingMoved}`);
  return rows[0]?.["shop"] as string;
}

/**
 * Fills an empty database with everything in another: tables, rows, then indexes and triggers. At the end it has read
 * every row again on both sides and found them the same. Safe to interrupt at any point and repeat; no shop starts on
 * `to` before the end. Resolves to the number of rows, as first counted. Throws {@link ConfigError}.
 */
export async function moveDatabase(moving: MoveOptions): Promise<number> {
  try {
    return await move(moving);
  } catch (error) {
    throw interruptedError(error, moving.place);
  }
}

function interruptedError(error: unknown, place: string): unknown {
  const isAway = refusalIn(error)?.code === "unavailable";
  if (!isAway && !(error instanceof LibsqlError)) return error;
  const why =
    error instanceof LibsqlError ? oneLine(error.message) : "a database can't be reached or written";
  return new ConfigError(
    `Copying to ${place} was interrupted: ${why}. Run the same command again; it continues.`,
  );
}

async function move({ from, to, place, shop, settle, last, progress }: MoveOptions): Promise<number> {
  const begun = await expectFillable(to, place);
  if (begun !== null && begun !== shop) {
    throw new ConfigError(`${place} holds an interrupted move of another shop: use another database.`);
  }
  if (begun === null) {
    await to.migrate([
      `CREATE TABLE ${beingMoved} (shop text NOT NULL)`,
      { sql: `INSERT INTO ${beingMoved} (shop) VALUES (?)`, args: [shop] },
    ]);
  }
  const objects = await schemaOf(from);
  await make(to, objects, "table");
  const tables = await tablesIn(from, objects);
  const total = await countRows(from, tables);
  let done = 0;
  const copied = (rows: number) => {
    done += rows;
    // counts each row twice: copied, then compared
    progress(done, 2 * total);
    failpoint("move.page-copied");
  };
  for (const table of tables) await copyTable({ from, to }, table, copied);
  await settle();
  for (const table of tables) {
    for (let times = 1; (await copyTable({ from, to }, table, copied)) > 0; times += 1) {
      if (times === mostComparisons) {
        throw new ConfigError(`Something keeps writing to the table ${table.name}: stop it first.`);
      }
    }
  }
  await make(to, objects, "index");
  await make(to, objects, "view");
  failpoint("move.copied");
  const triggers = objects.filter(({ kind }) => kind === "trigger").map(({ sql }) => sql);
  await to.migrate([...triggers, ...last, `DROP TABLE ${beingMoved}`]);
  return total;
}

/** Creates the missing objects of one kind; drops those that an earlier release made before an interruption. */
async function make(to: Client, objects: SchemaObject[], kind: SchemaObject["kind"]): Promise<void> {
  const there = (await schemaOf(to)).filter((one) => one.kind === kind && one.name !== beingMoved);
  const wanted = objects.filter((one) => one.kind === kind);
  const old = there.filter((one) => !isIn(wanted, one));
  const missing = wanted.filter((one) => !isIn(there, one));
  if (old.length + missing.length === 0) return;
  await to.migrate([...old.map(({ name }) => `DROP ${kind} "${name}"`), ...missing.map(({ sql }) => sql)]);
}

const isIn = (all: SchemaObject[], one: SchemaObject) =>
  all.some(({ name, sql }) => name === one.name && sql === one.sql);
