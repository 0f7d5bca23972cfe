import { closeSync, existsSync, fsyncSync, mkdirSync, openSync } from "node:fs";
import { readFileSync, renameSync, writeSync } from "node:fs";
import { join } from "node:path";

export type Row = { id: string };

/** Rows in the order they were made, found by id. A row is replaced, never changed in place. */
export type Table<R extends Row> = {
  get(id: string): R | undefined;
  has(id: string): boolean;
  size(): number;
  /** Oldest first. */
  all(): R[];
  /** Newest first; with `after`, only rows older than that one. */
  newest(after?: string): Generator<R>;
  /** Oldest first; only rows newer than that one. */
  since(id: string): Generator<R>;
  /** The rows of one group, oldest first. */
  group(name: string): R[];
};

type Shapes = { [table: string]: Row };

/** What a simulator remembers: read from its tables, written through `put` and `remove`. */
export type Store<Rows extends Shapes> = { [N in keyof Rows]: Table<Rows[N]> } & Writes<Rows>;

type Writes<Rows extends Shapes> = {
  put<N extends keyof Rows & string>(table: N, row: Rows[N]): Rows[N];
  remove(table: keyof Rows & string, id: string): void;
  setting(name: string): string | undefined;
  keep(name: string, value: string): void;
  /** Writes the changes since the last save as one line, so a crash keeps all of them or none. True if there were any. */
  save(): boolean;
  close(): void;
};

/** What groups the rows of each table; null for a table without groups. */
type Groupings<Rows extends Shapes> = { [N in keyof Rows]: ((row: Rows[N]) => string) | null };

/** A row that was put, or, with null, the id of one that was removed. */
type Change = [table: string, id: string, row: Row | null];
type Place = { folder: string; file: string };

/** Without a place, everything lives in memory. */
export function openStore<Rows extends Shapes>(groupings: Groupings<Rows>, place?: Place): Store<Rows> {
  const settings = table<Row & { value: string }>(null);
  const tables: Record<string, WritableTable> = { settings };
  for (const [name, grouping] of Object.entries<((row: never) => string) | null>(groupings))
    tables[name] = table(grouping as ((row: Row) => string) | null);
  for (const [name, id, row] of place ? readJournal(place) : []) tables[name]?.replace(id, row);
  const journal = place && startJournal(place, tables);
  const unsaved: Change[] = [];
  const change = (name: string, id: string, row: Row | null) => {
    tables[name]?.replace(id, row);
    unsaved.push([name, id, row]);
  };
  const save = () => {
    const changes = unsaved.splice(0);
    if (changes.length > 0) journal?.append(changes);
    return changes.length > 0;
  };
  const writes: Writes<Rows> = {
    put(name, row) {
      change(name, row.id, row);
      return row;
    },
    remove: (name, id) => change(name, id, null),
    setting: (name) => settings.get(name)?.value,
    keep(name, value) {
      const row = { id: name, value };
      change("settings", name, row);
    },
    save,
    close() {
      save();
      journal?.close();
    },
  };
  // one table for each grouping, and `put` pairs tables with their rows
  return Object.assign(tables, writes) as unknown as Store<Rows>;
}

type WritableTable<R extends Row = Row> = Table<R> & { replace(id: string, row: Row | null): void };

function table<R extends Row>(groupOf: ((row: R) => string) | null): WritableTable<R> {
  // removed rows leave a gap, so that places stay
  const rows: (R | undefined)[] = [];
  const places = new Map<string, number>();
  const groups = new Map<string, Map<string, R>>();
  const get = (id: string) => rows[places.get(id) ?? -1];
  const remove = (id: string) => {
    const row = get(id);
    if (!row) return;
    if (groupOf) groups.get(groupOf(row))?.delete(id);
    rows[places.get(id) ?? -1] = undefined;
    places.delete(id);
  };
  const set = (row: R) => {
    const place = places.get(row.id);
    if (place === undefined) places.set(row.id, rows.push(row) - 1);
    else rows[place] = row;
    if (!groupOf) return;
    const group = groups.get(groupOf(row)) ?? new Map<string, R>();
    groups.set(groupOf(row), group.set(row.id, row));
  };
  return {
    get,
    has: (id) => places.has(id),
    size: () => places.size,
    all: () => rows.filter((row) => row !== undefined),
    *newest(after) {
      for (
        let place = (after === undefined ? rows.length : (places.get(after) ?? 0)) - 1;
        place >= 0;
        place -= 1
      ) {
        const row = rows[place];
        if (row) yield row;
      }
    },
    *since(id) {
      for (let place = (places.get(id) ?? -1) + 1; place < rows.length; place += 1) {
        const row = rows[place];
        if (row) yield row;
      }
    },
    group: (name) => [...(groups.get(name)?.values() ?? [])],
    // a journal holds the rows of its own table
    replace: (id, row) => (row === null ? remove(id) : set(row as R)),
  };
}

const pathOf = ({ folder, file }: Place) => join(folder, file);

/** The changes on disk, oldest first. A line cut off by a crash is skipped: its call was never answered. */
function* readJournal(place: Place): Generator<Change> {
  if (!existsSync(pathOf(place))) return;
  const lines = readFileSync(pathOf(place), "utf8").split("\n");
  lines.pop();
  for (const text of lines) yield* JSON.parse(text) as Change[];
}

/** Replaces the file by a snapshot in one rename, and appends from there. */
function startJournal(place: Place, tables: Record<string, WritableTable>) {
  mkdirSync(place.folder, { recursive: true });
  const next = openSync(`${pathOf(place)}.next`, "w");
  for (const [name, rows] of Object.entries(tables))
    for (const row of rows.all()) writeLine(next, [[name, row.id, row]]);
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
