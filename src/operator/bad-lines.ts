import { Refusal } from "@/core/refusal";

/** What is wrong with a line of a file. It says nothing of what stands there, which may be a key. */
export type Trouble = { line: number; sentence: string };

const mostTold = 50;

/** Refuses a file by the lines that are wrong. */
export function refuseLines(troubles: Trouble[]): never {
  const sorted = troubles.toSorted((one, other) => one.line - other.line);
  const told = sorted.slice(0, mostTold).map(({ line, sentence }) => `Line ${line}: ${sentence}.`);
  const more = sorted.length > mostTold ? [`And ${sorted.length - mostTold} lines more.`] : [];
  const sentence = [...told, ...more, "Nothing was brought in."].join("\n");
  throw new Refusal("invalid_field", { sentence });
}
