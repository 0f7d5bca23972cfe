import { Refusal } from "@/core/base/refusal";

/** What is said of a line of a file; never quotes it, since it may hold a key. */
export type LineNote = { line: number; sentence: string };

const mostListed = 50;

/** Refuses a file and names its wrong lines. */
export function refuseLines(faults: LineNote[], unit?: string): never {
  throw new Refusal("invalid_field", {
    field: "file",
    sentence: [...noteLines(faults, unit), "Nothing was imported."].join("\n"),
  });
}

/** The first notes, by line. `unit` is what the numbers count. */
export function noteLines(notes: LineNote[], unit = "Line"): string[] {
  const sorted = notes.toSorted((one, other) => one.line - other.line);
  const output = sorted
    .slice(0, mostListed)
    .map(({ line, sentence }) => `${unit} ${line}: ${inUnits(sentence, unit)}.`);
  return sorted.length > mostListed ? [...output, `And ${sorted.length - mostListed} more lines.`] : output;
}

/** A sentence may name another line. */
export const inUnits = (sentence: string, unit: string) =>
  sentence.replace(/\bline (?=\d)/g, `${unit.toLowerCase()} `);
