import { type Journal, readJournal, startJournal } from "../../journal";
import type { RowOf, TableName, Tables } from "./rows";
import { type Row, type Table, table } from "./table";

/** All that the stand-in remembers. Reads go to the tables, writes through `put`. */
export type Ledger = Tables & {
  put<N extends TableName>(name: N, row: RowOf<N>): void;
  /** Writes what was put since the last save as one line, so that a crash keeps all of it or nothing. */
  save(): void;
  close(): void;
};

/** What one request or action changed. */
type Change = [table: string, row: Row];

const placeIn = (folder: string) => ({ folder, file: "ledger.jsonl" });

export function openLedger(folder: string | undefined): Ledger {
  const tables = emptyTables();
  if (folder !== undefined)
    for (const [name, row] of readJournal<Change>(placeIn(folder))) restore(tables, name, row);
  let journal: Journal<Change> | undefined =
    folder === undefined ? undefined : startJournal(placeIn(folder), snapshot(tables));
  let unsaved: Change[] = [];
  return {
    ...tables,
    put(name, row) {
      rowsOf(tables, name).set(row);
      if (journal) unsaved.push([name, row]);
    },
    save() {
      if (unsaved.length > 0) journal?.append(unsaved);
      unsaved = [];
    },
    close() {
      journal?.close();
      journal = undefined;
    },
  };
}

function emptyTables(): Tables {
  return {
    checkouts: table(),
    intents: table(),
    charges: table(),
    refunds: table(),
    disputes: table(),
    warnings: table(),
    events: table(),
    deliveries: table(),
    replies: table(),
    settings: table(),
  };
}

/** Forgets which table it is; `put` and the journal pair names with rows. */
function rowsOf(tables: Tables, name: TableName): Table<Row> {
  return tables[name];
}

function restore(tables: Tables, name: string, row: Row) {
  if (isTableName(tables, name)) rowsOf(tables, name).set(row);
}

function* snapshot(tables: Tables): Generator<Change> {
  for (const name of Object.keys(tables))
    if (isTableName(tables, name)) for (const row of rowsOf(tables, name).oldest()) yield [name, row];
}

function isTableName(tables: Tables, name: string): name is TableName {
  return Object.hasOwn(tables, name);
}
