export type CsvRow = {
  /** On which line of the file it begins, from 1. */
  line: number;
  cells: string[];
};

/** Reads RFC 4180: quoted cells may hold commas, line breaks and doubled quotes. Empty lines are passed over. */
export function readCsv(text: string): CsvRow[] {
  const rows: CsvRow[] = [];
  const cell = /("(?:[^"]|"")*"|(?!")[^,\r\n]*)(,|\r?\n|$)/y;
  const source = text.replace(/^\uFEFF/, "");
  let row: CsvRow = { line: 1, cells: [] };
  let line = 1;
  while (cell.lastIndex < source.length) {
    const at = cell.lastIndex;
    const found = cell.exec(source);
    // a quote that is not closed, or not where one may be
    if (!found) return [...rows, { line: row.line, cells: [...row.cells, source.slice(at)] }];
    const [, typed = "", end = ""] = found;
    row.cells.push(typed.startsWith('"') ? typed.slice(1, -1).replaceAll('""', '"') : typed.trim());
    line += typed.split("\n").length - 1;
    if (end === ",") {
      if (cell.lastIndex === source.length) row.cells.push("");
      else continue;
    }
    line += 1;
    if (row.cells.some((one) => one !== "")) rows.push(row);
    row = { line, cells: [] };
  }
  return rows;
}

export type CsvCell = string | number | boolean | Date | null;

/** One line of RFC 4180; a text that a spreadsheet would take for a formula is kept one. */
export const csvLine = (cells: CsvCell[]): string => `${cells.map(quoted).join(",")}\n`;

function quoted(cell: CsvCell): string {
  if (cell === null) return "";
  const text = cell instanceof Date ? cell.toISOString() : String(cell);
  const safe = typeof cell === "string" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  // where the decimal mark is a comma, spreadsheets take a semicolon for the end of a cell
  return /[",;\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
