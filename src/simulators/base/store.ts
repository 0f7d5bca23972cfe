import { closeSync, existsSync, fsyncSync, mkdirSync, openSync } from "node:fs";
import { readFileSync, renameSync, writeSync } from "node:fs";
import { join } from "node:path";

export type Row = { id: string };

/** Rows in creation order, found by id. Rows are replaced, never modified. */
export type Table<R extends Row> = ReturnType<typeof rows<R>>;

/** An empty table; `groupOf` returns a row's group. */
export function rows<R extends Row>(groupOf?: (row: R) => string) {
  // replacing a map's value keeps the key's position
  const byId = new Map<string, R>();
  const groups = new Map<string, Map<string, R>>();
  const remove = (id: string) => {
    const row = byId.get(id);
    byId.delete(id);
    if (row && groupOf) groups.get(groupOf(row))?.delete(id);
  };
  const set = (row: R) => {
    byId.set(row.id, row);
    if (!groupOf) return;
    const group = groups.get(groupOf(row)) ?? new Map<string, R>();
    groups.set(groupOf(row), group.set(row.id, row));
  };
  return {
    get: (id: string) => byId.get(id),
    has: (id: string) => byId.has(id),
    size: () => byId.size,
    /** Oldest first. */
    all: () => [...byId.values()],
    newest: () => [...byId.values()].toReversed(),
    /** The rows of one group, oldest first. */
    group: (name: string) => [...(groups.get(name)?.values() ?? [])],
    // a journal line names the table of its row, so the type fits
    replace: (id: string, row: Row | null) => (row === null ? remove(id) : set(row as R)),
  };
}

type AnyTable = { all(): Row[]; replace(id: string, row: Row | null): void };
type RowOf<T extends AnyTable> = ReturnType<T["all"]>[number];

/** A stored row, or null with the id of a removed row. */
type Change = [table: string, id: string, row: Row | null];
type Place = { folder: string; file: string };

/** A simulator's tables, written through `put` and `remove`. Without a place, only in memory. */
export function openStore<Tables extends Record<string, AnyTable>>(tables: Tables, place?: Place) {
  const settings = rows<Row & { value: string }>();
  const all: Record<string, AnyTable> = { ...tables, settings };
  for (const [name, id, row] of place ? readJournal(place) : []) all[name]?.replace(id, row);
  const journal = place && startJournal(place, all);
  const unsaved: Change[] = [];
  const change = (name: string, id: string, row: Row | null) => {
    all[name]?.replace(id, row);
    unsaved.push([name, id, row]);
  };
  /**
   * Writes the changes since the last save as one line, so a crash keeps all of them or none. Returns whether there
   * were any.
   */
  const save = () => {
    const changes = unsaved.splice(0);
    if (changes.length > 0) journal?.append(changes);
    return changes.length > 0;
  };
  return {
    ...tables,
    put<N extends keyof Tables & string>(name: N, row: RowOf<Tables[N]>): RowOf<Tables[N]> {
      change(name, row.id, row);
      return row;
    },
    remove: (name: keyof Tables & string, id: string) => change(name, id, null),
    setting: (name: string) => settings.get(name)?.value,
    keep(name: string, value: string) {
      const row = { id: name, value };
      change("settings", name, row);
    },
    save,
    close() {
      save();
      journal?.close();
    },
  };
}

const pathOf = ({ folder, file }: Place) => join(folder, file);

/** The stored data is damaged, or has another release's format. */
export class StoredOtherwise extends Error {
  override name = "StoredOtherwise";
}

/**
 * The changes on disk, oldest first. Skips a line cut off by a crash, whose call was never answered. Throws {@link
 * StoredOtherwise}.
 */
function* readJournal(place: Place): Generator<Change> {
  if (!existsSync(pathOf(place))) return;
  const lines = readFileSync(pathOf(place), "utf8").split("\n");
  lines.pop();
  for (const text of lines) yield* changesIn(text, pathOf(place));
}

function changesIn(line: string, file: string): Change[] {
  try {
    const changes: unknown = JSON.parse(line);
    if (Array.isArray(changes) && changes.every(isChange)) return changes;
  } catch {
    // not JSON either
  }
  throw new StoredOtherwise(file);
}

const isChange = (change: unknown): change is Change =>
  Array.isArray(change) &&
  change.length === 3 &&
  change.slice(0, 2).every((name) => typeof name === "string") &&
  typeof change[2] === "object";

/** Replaces the file with a snapshot in one rename, and appends from there. */
function startJournal(place: Place, tables: Record<string, AnyTable>) {
  mkdirSync(place.folder, { recursive: true, mode: 0o700 });
  const next = openSync(`${pathOf(place)}.next`, "w", 0o600);
  for (const [name, table] of Object.entries(tables))
    for (const row of table.all()) writeLine(next, [[name, row.id, row]]);
  fsyncSync(next);
  closeSync(next);
  renameSync(`${pathOf(place)}.next`, pathOf(place));
  const handle = openSync(pathOf(place), "a");
  return {
    append: (changes: Change[]) => writeLine(handle, changes),
    close: () => closeSync(handle),
  };
}

function writeLine(handle: number, changes: Change[]) {
  const bytes = Buffer.from(`${JSON.stringify(changes)}\n`);
  let written = 0;
  while (written < bytes.length) written += writeSync(handle, bytes, written);
}
