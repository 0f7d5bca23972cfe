import { decodeFile } from "./decode-file";
import { refuseLines } from "./line-errors";
import { readCsv, type Separator } from "./read-csv";

export type FileRow<Field extends string> = {
  /** Its line in the file, or the number of the entry in a list; from 1. */
  line: number;
  /** Trimmed; empty where the file has nothing. */
  cells: Record<Field, string>;
  /** The fields that are numbers in JSON, which a program may have rounded. */
  numbers: Set<string>;
};

export type FileRows<Field extends string> = {
  rows: FileRow<Field>[];
  /** The names of columns that are not imported, such as a password or a hardware ID. */
  ignored: string[];
  /** What `line` counts. */
  unit: "Line" | "Entry";
  /** How the file was understood, in words. */
  format: string;
};

export type RowFormat<Field extends string> = {
  fields: readonly Field[];
  required: readonly Field[];
  /** Other names of fields, as exports of other shops have them. */
  aliases?: Record<string, Field>;
  /** What the operator calls a field's column; by default the field's own name. */
  columns: Partial<Record<string, string>>;
};

const separators: Record<Separator, string> = { ",": "commas", ";": "semicolons", "\t": "tabs" };

/** The rows of a CSV file, which names its columns in the first line, or of a list of objects in JSON. */
export function rowsIn<Field extends string>(file: Uint8Array, wanted: RowFormat<Field>): FileRows<Field> {
  const { text, encoding } = decodeFile(file);
  return /^\s*\[/.test(text)
    ? jsonRows(text, wanted, `JSON, ${encoding}`)
    : csvRows(text, wanted, (separator) => `CSV with ${separators[separator]}, ${encoding}`);
}

function csvRows<Field extends string>(
  source: string,
  wanted: RowFormat<Field>,
  formatOf: (separator: Separator) => string,
): FileRows<Field> {
  // a line for Excel alone; its break stays, so that lines keep their numbers
  const text = source.replace(/^"?sep=.?"?(?=[\r\n])/i, "");
  const separator = separatorOf(text, wanted);
  const [heading, ...lines] = readCsv(text, separator);
  const names = heading?.cells.map(plain) ?? [];
  const { positions, ignored } = columnsAmong(names, wanted, heading?.line ?? 1);
  const crowded = lines.filter(({ cells }) => cells.slice(names.length).some((cell) => cell !== ""));
  if (crowded.length > 0) {
    refuseLines(crowded.map(({ line }) => ({ line, sentence: "it has more cells than the first line" })));
  }
  return {
    rows: lines.map(({ line, cells }) => ({
      line,
      cells: cellsAt(wanted, (field) => cells[positions.get(field) ?? -1]),
      numbers: new Set(),
    })),
    ignored,
    unit: "Line",
    format: formatOf(separator),
  };
}

/** The separator with which the first line has most of the wanted columns, or else most columns. */
function separatorOf<Field extends string>(text: string, wanted: RowFormat<Field>): Separator {
  const first = /^\s*([^\r\n]*)/.exec(text.replace(/^\uFEFF/, ""))?.[1] ?? "";
  const known = new Set(namesOf(wanted).keys());
  const score = (separator: Separator): number => {
    const names = first.split(separator).map((name) => plain(name.replace(/^"|"$/g, "")));
    return names.filter((name) => known.has(name)).length * 1000 + names.length;
  };
  const [best = ","] = (Object.keys(separators) as Separator[]).toSorted(
    (one, other) => score(other) - score(one),
  );
  return best;
}

function jsonRows<Field extends string>(
  text: string,
  wanted: RowFormat<Field>,
  format: string,
): FileRows<Field> {
  const entries = entriesIn(text);
  const names = [...new Set(entries.flatMap((entry) => [...entry.keys()]))];
  const { positions, ignored } = columnsAmong(names, wanted, 1);
  return {
    rows: entries.map((entry, at) => {
      const valueOf = (field: Field) => entry.get(names[positions.get(field) ?? -1] ?? "");
      return {
        line: at + 1,
        cells: cellsAt(wanted, (field) => valueOf(field)?.text),
        numbers: new Set(wanted.fields.filter((field) => valueOf(field)?.isNumber)),
      };
    }),
    ignored,
    unit: "Entry",
    format,
  };
}

type JsonCell = { text: string; isNumber: boolean };

/** Each object's values as written in the file, by lower-case name: reading a number would round a long id. */
function entriesIn(text: string): Map<string, JsonCell>[] {
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

function cellOf(value: unknown): JsonCell {
  if (value instanceof AsWritten) return { text: value.text, isNumber: true };
  if (value === null) return { text: "", isNumber: false };
  return { text: typeof value === "string" ? value : JSON.stringify(value), isNumber: false };
}

const plain = (name: string) => name.trim().toLowerCase();

const cellsAt = <Field extends string>(
  { fields }: RowFormat<Field>,
  cellAt: (field: Field) => string | undefined,
) =>
  // every field is there
  Object.fromEntries(fields.map((field) => [field, cellAt(field)?.trim() ?? ""])) as Record<Field, string>;

/** The fields by the names that their columns may have. */
function namesOf<Field extends string>({
  fields,
  aliases = {},
  columns,
}: RowFormat<Field>): Map<string, Field> {
  const named = fields.flatMap((field): [string, Field][] => {
    const own = columns[field];
    return own === undefined ? [[field, field]] : [[plain(own), field]];
  });
  const others = Object.entries<Field>(aliases).filter(([, field]) => columns[field] === undefined);
  return new Map([...others, ...named]);
}

/** The column of each field. Never quotes unknown column names, which may hold a key. */
function columnsAmong<Field extends string>(names: string[], wanted: RowFormat<Field>, line: number) {
  const fieldOf = namesOf(wanted);
  const positions = new Map<Field, number>();
  for (const [at, name] of names.entries()) {
    const field = fieldOf.get(name);
    if (!field) continue;
    if (positions.has(field)) refuseLines([{ line, sentence: `two of its columns are the ${field}` }]);
    positions.set(field, at);
  }
  for (const [field, name = ""] of Object.entries(wanted.columns)) {
    if (!positions.has(field as Field)) refuseLines([{ line, sentence: `it has no column ${name.trim()}` }]);
  }
  for (const field of wanted.required) {
    if (positions.has(field)) continue;
    refuseLines([
      { line, sentence: `it has no column ${field}; if it has another name, --column ${field}="…" says it` },
    ]);
  }
  return { positions, ignored: names.filter((name) => name !== "" && !fieldOf.has(name)) };
}
