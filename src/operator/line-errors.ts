import { Refusal } from "@/core/refusal";

/** What is wrong with a line of a file. Never quotes the line, which may hold a key. */
export type LineFault = { line: number; sentence: string };

const mostListed = 50;

/** Refuses a file and names its wrong lines. */
export function refuseLines(faults: LineFault[]): never {
  const sorted = faults.toSorted((one, other) => one.line - other.line);
  const output = sorted.slice(0, mostListed).map(({ line, sentence }) => `Line ${line}: ${sentence}.`);
  const more = sorted.length > mostListed ? [`And ${sorted.length - mostListed} more lines.`] : [];
  const sentence = [...output, ...more, "Nothing was imported."].join("\n");
  throw new Refusal("invalid_field", { sentence });
}
