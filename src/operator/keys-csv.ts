import { type ImportedKey, importableKey } from "@/domain/licences/import";
import { readCsv } from "./csv";
import { refuseLines, type LineFault } from "./line-errors";

/** A line of the file with its number. */
type Line = { line: number; cells: string[] };

/** Accepts all lines or none. Wrong lines are named by number and never quoted. */
export function keysIn(text: string): ImportedKey[] {
  const lines = linesOf(text);
  const faults: LineFault[] = [];
  const keys = lines.flatMap(({ line, cells }) => {
    const read = keyOf(cells);
    if ("key" in read) return [read];
    faults.push({ line, sentence: read.wrong });
    return [];
  });
  if (faults.length > 0) refuseLines(faults);
  return [...new Map(keys.map((one) => [one.key, one])).values()];
}

/**
 * CSV with a header, or the format that KeyAuth imports and exports: `key,level,days` entries on one line,
 * separated by `|`, without a header.
 */
function linesOf(text: string): Line[] {
  if (text.includes("|")) {
    const entries = text.split("|").map((entry, at) => ({ line: at + 1, cells: entry.trim().split(",") }));
    return entries.filter(({ cells }) => cells.join("") !== "");
  }
  const [heading, ...lines] = readCsv(text);
  const names = heading?.cells.slice(0, 3).map((name) => name.toLowerCase());
  if (names?.join() === "key,level,days") return lines;
  return refuseLines([{ line: 1, sentence: "it must start with key,level,days" }]);
}

function keyOf([typed = "", level = "", days = ""]: string[]): ImportedKey | { wrong: string } {
  const key = importableKey(typed);
  if (!key) return { wrong: "the key must be 12 to 64 letters, digits or dashes" };
  if (days !== "" && !/^[1-9]\d{0,5}$/.test(days)) {
    return { wrong: "days must be a whole number, or empty for a lifetime" };
  }
  return { key, type: typeOf(level), days: days === "" ? null : Number(days) };
}

/** A number is a KeyAuth level, which has no meaning here. */
export const typeOf = (level: string) => (/^[a-z][a-z ]{0,30}$/i.test(level) ? level.toLowerCase() : "");
