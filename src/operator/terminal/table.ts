import { utcStamp } from "@/contract/vocabulary/dates";
import { oneLine } from "@/contract/vocabulary/plain-words";
import { paint } from "./colours";

export type Cell = string | number | null;

/** A table for people to read. */
export function table(headings: string[], rows: Cell[][]): string {
  const output = rows.map((row) => row.map(textOf));
  const widths = headings.map((heading, at) =>
    Math.max(...[heading, ...output.map((row) => row[at] ?? "")].map((text) => Bun.stringWidth(text))),
  );
  const line = (cells: string[]) =>
    cells
      .map((cell, at) => padded(cell, widths[at] ?? 0))
      .join("  ")
      .trimEnd();
  return [paint("bold", line(headings)), ...output.map(line)].join("\n");
}

/** Names and values, one per line. */
export function facts(rows: Cell[][]): string {
  const width = Math.max(0, ...rows.map(([name]) => Bun.stringWidth(textOf(name ?? null))));
  return rows
    .map(([name = null, value = null]) => `${paint("dim", padded(textOf(name), width))}  ${textOf(value)}`)
    .join("\n");
}

/** Strips control characters: customers' text could contain terminal escape sequences, or marks that reorder a line. */
const textOf = (cell: Cell) => oneLine(String(cell ?? "-"));
const padded = (text: string, width: number) => text + " ".repeat(Math.max(0, width - Bun.stringWidth(text)));

/** `2025-03-14 10:22 UTC` */
export const stamp = (at: Date | null) => at && utcStamp(at);

/** `12.3 MB`, in decimal units. */
export function bytesInWords(bytes: number): string {
  const units = ["bytes", "kB", "MB", "GB", "TB"];
  const at = bytes > 0 ? Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3)) : 0;
  return `${at === 0 ? bytes : (bytes / 1000 ** at).toFixed(1)} ${units[at]}`;
}

/** `1 key`, `2 keys`. */
export const counted = (count: number, noun: string, plural = `${noun}s`) =>
  `${count} ${count === 1 ? noun : plural}`;

export type Bar = { name: string; value: number; says: string };

const widest = 40;

/** A horizontal bar chart for the terminal. */
export function barChart(rows: Bar[]): string {
  const most = Math.max(1, ...rows.map(({ value }) => value));
  const names = Math.max(0, ...rows.map(({ name }) => name.length));
  return rows
    .map(({ name, value, says }) => {
      const bar = "█".repeat(Math.ceil((value / most) * widest));
      return `${paint("dim", name.padEnd(names))}  ${paint("green", bar)}${bar ? " " : ""}${says}`.trimEnd();
    })
    .join("\n");
}
