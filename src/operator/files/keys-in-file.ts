import { maxDevices } from "@/contract/vocabulary/devices";
import type { LineNote, TypedKey } from "@/domain/licences/keys/import";
import { decodeFile } from "./decode-file";
import { type FileRow, type FileRows, rowsIn } from "./file-rows";

export const keyColumns = ["key", "level", "days", "devices"] as const;
type Column = (typeof keyColumns)[number];

type KeysInFile = Omit<FileRows<Column>, "rows"> & { lines: number; keys: TypedKey[]; faults: LineNote[] };

/** The keys in a file, and what is wrong with its other lines. */
export function keysIn(file: Uint8Array, columns: Partial<Record<string, string>>): KeysInFile {
  const { rows, ...read } = keyAuthList(file) ?? rowsIn(file, wantedWith(columns));
  const faults: LineNote[] = [];
  const keys = rows.flatMap((row) => {
    const key = keyOf(row);
    if ("typed" in key) return [key];
    faults.push(key);
    return [];
  });
  return { ...read, lines: rows.length, keys, faults };
}

/** KeyAuth calls the days `expiry` in its JSON. */
const wantedWith = (columns: Partial<Record<string, string>>) => ({
  fields: keyColumns,
  required: ["key", "days"] as const,
  aliases: { expiry: "days" } as const,
  columns,
});

/** The text that KeyAuth imports and exports: `key,level,days` entries on one line, separated by `|`, without a header. */
function keyAuthList(file: Uint8Array): FileRows<Column> | null {
  if (!file.includes(0x7c)) return null;
  const { text, encoding } = decodeFile(file);
  if (!/^([^,;|"\r\n]*,){2}[^,;|"\r\n]*\|/.test(text)) return null;
  const rows = text.split("|").flatMap((entry, at) => {
    const [key = "", level = "", days = ""] = entry.split(",").map((cell) => cell.trim());
    if (`${key}${level}${days}` === "") return [];
    return [{ line: at + 1, cells: { key, level, days, devices: "" }, numbers: new Set<string>() }];
  });
  return { rows, ignored: [], unit: "Line", format: `KeyAuth's list, ${encoding}` };
}

function keyOf({ line, cells }: FileRow<Column>): TypedKey | LineNote {
  const { key: typed, level } = cells;
  const days = daysIn(cells.days);
  if (days === undefined) return { line, sentence: `days ${daysRule}` };
  const devices = devicesIn(cells.devices);
  if (devices === undefined) return { line, sentence: `devices ${devicesRule}` };
  return { line, typed, type: typeOf(level), days, devices };
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

/** A number is a KeyAuth level, which has no meaning here. */
export const typeOf = (level: string) => (/^[a-z][a-z ]{0,30}$/i.test(level) ? level.toLowerCase() : "");
