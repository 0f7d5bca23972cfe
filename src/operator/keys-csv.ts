import { type ImportedKey, importableKey } from "@/domain/licences/import";
import { readCsv } from "./csv";
import { refuseLines, type Trouble } from "./bad-lines";

/** A line of the file, and its number. */
type Line = { line: number; cells: string[] };

/** All lines or none: those that are wrong are refused by their numbers, and never quoted. */
export function keysIn(text: string): ImportedKey[] {
  const lines = linesOf(text);
  const troubles: Trouble[] = [];
  const keys = lines.flatMap(({ line, cells }) => {
    const read = keyOf(cells);
    if ("key" in read) return [read];
    troubles.push({ line, sentence: read.wrong });
    return [];
  });
  if (troubles.length > 0) refuseLines(troubles);
  return [...new Map(keys.map((one) => [one.key, one])).values()];
}

/**
 * CSV with a heading, or the form in which KeyAuth itself takes and gives keys: `key,level,days` again and
 * again with bars between, on one line and without a heading.
 */
function linesOf(text: string): Line[] {
  if (text.includes("|")) {
    const entries = text.split("|").map((entry, at) => ({ line: at + 1, cells: entry.trim().split(",") }));
    return entries.filter(({ cells }) => cells.join("") !== "");
  }
  const [heading, ...lines] = readCsv(text);
  const names = heading?.cells.slice(0, 3).map((name) => name.toLowerCase());
  if (names?.join() === "key,level,days") return lines;
  return refuseLines([{ line: 1, sentence: "it must begin with key,level,days" }]);
}

function keyOf([typed = "", level = "", days = ""]: string[]): ImportedKey | { wrong: string } {
  const key = importableKey(typed);
  if (!key) return { wrong: "the key has to be 12 to 64 letters, digits or dashes" };
  if (days !== "" && !/^[1-9]\d{0,5}$/.test(days)) {
    return { wrong: "days is a whole number, or empty for a lifetime" };
  }
  return { key, type: typeOf(level), days: days === "" ? null : Number(days) };
}

/** A number is a level of KeyAuth's, which says nothing here. */
export const typeOf = (level: string) => (/^[a-z][a-z ]{0,30}$/i.test(level) ? level.toLowerCase() : "");
