import { refuseLines } from "./line-notes";

export type CsvRow = {
  /** The line of the file on which it starts, from 1. */
  line: number;
  cells: string[];
};

export type Separator = "," | ";" | "\t";

const cells: Record<Separator, RegExp> = {
  ",": /("(?:[^"]|"")*"|(?!")[^,\r\n]*)(,|\r\n|\r|\n|$)/y,
  ";": /("(?:[^"]|"")*"|(?!")[^;\r\n]*)(;|\r\n|\r|\n|$)/y,
  "\t": /("(?:[^"]|"")*"|(?!")[^\t\r\n]*)(\t|\r\n|\r|\n|$)/y,
};

/**
 * Parses RFC 4180: quoted cells may contain separators, line breaks and doubled quotes. Empty lines are skipped. A quote
 * that is not closed would swallow the lines after it, so it refuses the file.
 */
export function* readCsv(text: string, separator: Separator = ","): Generator<CsvRow> {
  const cell = cells[separator];
  const source = text.replace(/^\uFEFF/, "");
  let row: CsvRow = { line: 1, cells: [] };
  let line = 1;
  for (let at = 0; at < source.length;) {
    // another file may have been read since the last row
    cell.lastIndex = at;
    const found = cell.exec(source);
    at = cell.lastIndex;
    const [, typed = "", end = ""] =
      found ?? refuseLines([{ line, sentence: "a quote is not closed, or closed before its cell ends" }]);
    row.cells.push(typed.startsWith('"') ? typed.slice(1, -1).replaceAll('""', '"') : typed.trim());
    line += linesIn(typed);
    if (end === separator) {
      if (at === source.length) row.cells.push("");
      else continue;
    }
    line += 1;
    if (row.cells.some((one) => one !== "")) yield row;
    row = { line, cells: [] };
  }
}

/** How many lines end in a text. */
export const linesIn = (text: string): number => text.match(/\r\n|\r|\n/g)?.length ?? 0;
