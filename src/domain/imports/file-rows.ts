import { type ImportedThing, importFields } from "@/contract/vocabulary/import-files";
import { yieldToEventLoop } from "@/core/base/yield";
import { decodeFile } from "./decode-file";
import { refuseLines } from "./line-notes";
import { inPieces } from "./planned";
import { type CsvRow, readCsv, type Separator } from "./read-csv";

/** What a file calls a field, by the field's name; empty if it has none. Others go by their own names. */
export type ColumnNames = Partial<Record<string, string>>;

/** Reads every row, whatever its columns mean. */
export type Table = {
  /** As written. */
  columns: string[];
  rows: { line: number; cells: (Cell | undefined)[] }[];
  /** What `line` counts. */
  unit: "Line" | "Entry";
  /** How the file was understood, in words. */
  format: string;
  /** The line that names the columns. */
  headingLine: number;
};

/** `isNumber`: it is a number in JSON, which a program may have rounded. */
type Cell = { text: string; isNumber: boolean };

export type FileRow<Field extends string> = {
  /** Its line in the file, or the number of the entry in a list; from 1. */
  line: number;
  /** Trimmed; empty where the file has nothing. */
  cells: Record<Field, string>;
  /** The fields that are numbers in JSON. */
  numbers: Set<string>;
};

/** Other names of fields: KeyAuth calls the days `expiry` in its JSON. */
const aliases: Record<ImportedThing, Record<string, string>> = { keys: { expiry: "days" }, customers: {} };

const separators: Record<Separator, string> = { ",": "commas", ";": "semicolons", "\t": "tabs" };
/** Requests are served between two pieces. */
const rowsAtOnce = 250;

/** The rows of KeyAuth's list, of a CSV file, which names its columns in the first line, or of a list of objects in JSON. */
export async function tableIn(
  file: Uint8Array,
  what: ImportedThing,
  columns: ColumnNames = {},
): Promise<Table> {
  const { text, encoding } = decodeFile(file);
  if (/^[\s\uFEFF]*$/.test(text)) refuseLines([{ line: 1, sentence: "the file is empty" }]);
  const list = what === "keys" ? keyAuthList(text) : null;
  if (list) return { ...list, format: `KeyAuth's list, ${encoding}` };
  if (/^\s*[[{]/.test(text)) return { ...jsonTable(text), format: `JSON, ${encoding}` };
  const { separator, ...table } = await csvTable(text, namesOf(what, columns));
  const { required } = importFields[what];
  if (table.columns.length < required.length) {
    const sentence = `it names only one column, and ${required.join(" and ")} are needed`;
    refuseLines([{ line: table.headingLine, sentence }]);
  }
  return { ...table, format: `CSV with ${separators[separator]}, ${encoding}` };
}

/** The text that KeyAuth imports and exports: `key,level,days` entries on one line, separated by `|`, without a header. */
function keyAuthList(text: string): Omit<Table, "format"> | null {
  if (!/^([^,;|"\r\n]*,){2}[^,;|"\r\n]*\|/.test(text)) return null;
  const rows = text.split("|").flatMap((entry, at) => {
    const cells = entry.split(",", 3).map((cell) => ({ text: cell.trim(), isNumber: false }));
    return cells.every((cell) => cell.text === "") ? [] : [{ line: at + 1, cells }];
  });
  return { columns: ["key", "level", "days"], rows, unit: "Line", headingLine: 1 };
}

type CsvTable = Omit<Table, "format"> & { separator: Separator };

async function csvTable(source: string, names: Map<string, string>): Promise<CsvTable> {
  // a line for Excel alone; its break stays, so that lines keep their numbers
  const text = source.replace(/^"?sep=.?"?(?=[\r\n])/i, "");
  const separator = separatorOf(text, names);
  const lines: CsvRow[] = [];
  for (const row of readCsv(text, separator)) {
    if (lines.push(row) % rowsAtOnce === 0) await yieldToEventLoop();
  }
  const [heading, ...rows] = lines;
  const columns = heading?.cells ?? [];
  const crowded = rows.filter(({ cells }) => cells.slice(columns.length).some((cell) => cell !== ""));
  if (crowded.length > 0) {
    refuseLines(crowded.map(({ line }) => ({ line, sentence: "it has more cells than the first line" })));
  }
  return {
    columns,
    rows: rows.map(({ line, cells }) => ({
      line,
      cells: cells.map((cell) => ({ text: cell, isNumber: false })),
    })),
    unit: "Line",
    headingLine: heading?.line ?? 1,
    separator,
  };
}

/** The separator with which the first line has most of the known columns, or else most columns. */
function separatorOf(text: string, known: Map<string, string>): Separator {
  const first = /^\s*([^\r\n]*)/.exec(text.replace(/^\uFEFF/, ""))?.[1] ?? "";
  const score = (separator: Separator): number => {
    const names = first.split(separator).map((name) => plain(name.replace(/^"|"$/g, "")));
    return names.filter((name) => known.has(name)).length * 1000 + names.length;
  };
  const [best = ","] = (Object.keys(separators) as Separator[]).toSorted(
    (one, other) => score(other) - score(one),
  );
  return best;
}

const mostNames = 200;

function jsonTable(text: string): Omit<Table, "format"> {
  const entries = entriesIn(text);
  const columns = [...new Set(entries.flatMap((entry) => [...entry.keys()]))];
  // each row has a cell for each of them
  if (columns.length > mostNames)
    refuseLines([{ line: 1, sentence: `its entries have more than ${mostNames} different names` }]);
  const rows = entries.map((entry, at) => ({
    line: at + 1,
    cells: columns.map((name) => entry.get(name)),
  }));
  return { columns, rows, unit: "Entry", headingLine: 1 };
}

/** Each object's values as written in the file, by lower-case name: reading a number would round a long id. */
function entriesIn(text: string): Map<string, Cell>[] {
  const list = parseJson(text);
  if (!Array.isArray(list) || !list.every(isObject)) {
    return refuseLines([{ line: 1, sentence: 'JSON must be a list of objects, like [{"key": "…"}]' }]);
  }
  return list.map(
    (entry: object) => new Map(Object.entries(entry).map(([name, value]) => [plain(name), cellOf(value)])),
  );
}

const isObject = (one: unknown) => typeof one === "object" && one !== null && !Array.isArray(one);

class AsWritten {
  constructor(readonly text: string) {}
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text, (_, value: unknown, context?: { source?: string }) =>
      typeof value === "number" ? new AsWritten(context?.source ?? String(value)) : value,
    );
  } catch {
    return refuseLines([{ line: 1, sentence: "it begins like JSON and is not" }]);
  }
}

function cellOf(value: unknown): Cell {
  if (value instanceof AsWritten) return { text: value.text, isNumber: true };
  if (value === null) return { text: "", isNumber: false };
  return { text: typeof value === "string" ? value : JSON.stringify(value), isNumber: false };
}

const plain = (name: string) => name.trim().toLowerCase();

/** The fields by the names that their columns may have. */
function namesOf(what: ImportedThing, columns: ColumnNames): Map<string, string> {
  const named = importFields[what].all.flatMap((field): [string, string][] => {
    const own = columns[field];
    if (own === undefined) return [[field, field]];
    return own.trim() === "" ? [] : [[plain(own), field]];
  });
  const others = Object.entries(aliases[what]).filter(([, field]) => columns[field] === undefined);
  return new Map([...others, ...named]);
}

/** The column of each field, by the names that the shop knows. */
export function proposedColumns({ columns }: Table, what: ImportedThing): Map<string, string> {
  const fieldOf = namesOf(what, {});
  return new Map(
    columns.flatMap((name) => {
      const field = fieldOf.get(plain(name));
      return field === undefined ? [] : [[field, name.trim()]];
    }),
  );
}

type FieldOf<What extends ImportedThing> = (typeof importFields)[What]["all"][number];
type MappedRows<What extends ImportedThing> = {
  rows: FileRow<FieldOf<What>>[];
  /** The names of columns that are not imported, such as a password or a hardware ID. */
  ignored: string[];
};

/** The table's rows by their fields. `hint` says how a required column is named where the file has none. */
export async function rowsOf<What extends ImportedThing>(
  table: Table,
  what: What,
  { columns, hint }: { columns: ColumnNames; hint: (field: string) => string },
): Promise<MappedRows<What>> {
  const names = table.columns.map(plain);
  const fieldOf = namesOf(what, columns);
  const line = table.headingLine;
  const positions = new Map<string, number>();
  for (const [at, name] of names.entries()) {
    const field = fieldOf.get(name);
    if (!field) continue;
    if (positions.has(field)) refuseLines([{ line, sentence: `two of its columns are the ${field}` }]);
    positions.set(field, at);
  }
  for (const [field, name = ""] of Object.entries(columns)) {
    // never quotes a column of the file, which may hold a key
    if (name.trim() !== "" && !positions.has(field))
      refuseLines([{ line, sentence: `it has no column ${name.trim()}` }]);
  }
  for (const field of importFields[what].required) {
    if (!positions.has(field)) refuseLines([{ line, sentence: `it has no column ${field}; ${hint(field)}` }]);
  }
  const fields: readonly FieldOf<What>[] = importFields[what].all;
  return {
    rows: await inPieces(table.rows, ({ line: at, cells }) => {
      const cellOfField = (field: string) => cells[positions.get(field) ?? -1];
      return {
        line: at,
        // every field is there
        cells: Object.fromEntries(
          fields.map((field) => [field, cellOfField(field)?.text.trim() ?? ""]),
        ) as Record<FieldOf<What>, string>,
        numbers: new Set(fields.filter((field) => cellOfField(field)?.isNumber)),
      };
    }),
    ignored: names.filter((name) => name !== "" && !fieldOf.has(name)),
  };
}
