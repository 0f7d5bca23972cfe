export type CsvRow = {
  /** The line of the file on which it starts, from 1. */
  line: number;
  cells: string[];
};

/** Parses RFC 4180: quoted cells may contain commas, line breaks and doubled quotes. Empty lines are skipped. */
export function readCsv(text: string): CsvRow[] {
  const rows: CsvRow[] = [];
  const cell = /("(?:[^"]|"")*"|(?!")[^,\r\n]*)(,|\r?\n|$)/y;
  const source = text.replace(/^\uFEFF/, "");
  let row: CsvRow = { line: 1, cells: [] };
  let line = 1;
  while (cell.lastIndex < source.length) {
    const at = cell.lastIndex;
    const found = cell.exec(source);
    // an unclosed or misplaced quote
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
