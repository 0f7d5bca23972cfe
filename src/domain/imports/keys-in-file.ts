import { maxDevices } from "@/contract/vocabulary/devices";
import type { FileRow } from "./file-rows";
import type { TypedKey } from "./keys";
import type { LineNote } from "./line-notes";

/** The id of the level that a file's word means, or what is wrong with the word. */
export type ReadLevel = (word: string) => { level: string } | Pick<LineNote, "sentence">;

/** The key in a row of a file, or what is wrong with the row. */
export function keyIn(
  { line, cells }: FileRow<"key" | "level" | "days" | "devices">,
  readLevel: ReadLevel,
): TypedKey | LineNote {
  const days = daysIn(cells.days);
  if (days === undefined) return { line, sentence: `days ${daysRule}` };
  const devices = devicesIn(cells.devices);
  if (devices === undefined) return { line, sentence: `devices ${devicesRule}` };
  const meant = readLevel(cells.level);
  if ("sentence" in meant) return { line, ...meant };
  return { line, typed: cells.key, ...meant, days, devices };
}

const daysRule = "must be a whole number, or empty for a lifetime";

/** Null is a lifetime, undefined no number of days. Fractions are read too, as KeyAuth has them. */
export function daysIn(text: string): number | null | undefined {
  if (text === "" || text.toLowerCase() === "lifetime") return null;
  if (!/^\d{1,6}(\.\d{1,15})?$/.test(text)) return undefined;
  return Number(text) > 0 ? Number(text) : undefined;
}

export const devicesRule = `must be a whole number from 1 to ${maxDevices}, or empty for 1`;

/** On how many computers at a time; undefined is no such number. */
export function devicesIn(text: string): number | undefined {
  if (text === "") return 1;
  const devices = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  return devices >= 1 && devices <= maxDevices ? devices : undefined;
}
