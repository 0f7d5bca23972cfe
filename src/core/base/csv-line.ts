/** `decimal`: digits as they are, such as `-5.00`, which a spreadsheet reads as a number. */
export type CsvCell = string | number | boolean | Date | { decimal: string } | null;

/** The first line of a CSV file; every file begins with it. The byte order mark makes Excel read it as UTF-8. */
export const csvHeading = (names: string[]): string => `\uFEFF${csvLine(names)}`;

/** One line of RFC 4180. Text that a spreadsheet would run as a formula gets an apostrophe in front. */
export const csvLine = (cells: CsvCell[]): string => `${cells.map(quoted).join(",")}\n`;

function quoted(cell: CsvCell): string {
  if (cell === null) return "";
  if (typeof cell === "object" && "decimal" in cell) return cell.decimal;
  const text = cell instanceof Date ? cell.toISOString() : String(cell);
  const safe = typeof cell === "string" && formula.test(text) ? `'${text}` : text;
  // in locales with a decimal comma, spreadsheets separate cells at semicolons
  return /[",;\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Signs that begin a formula, also the wide ones, after what spreadsheets skip. */
const formula = /^[\s\p{Default_Ignorable_Code_Point}]*[=+\-@\uff0b\uff0d\uff1d\uff20]|^[\t\r\n]/u;
