import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import type { Row } from "./table";

/** A row put, or with `null` the row with this id taken away. */
export type Change = [table: string, id: string, row: Row | null];

export type Journal = { append(changes: Change[]): void; close(): void };

const file = "server.jsonl";

/** The changes on disk, oldest first. A line that a crash cut off is left out: nobody was answered for it. */
export function* readJournal(folder: string): Generator<Change> {
  const path = join(folder, file);
  if (!existsSync(path)) return;
  const lines = readFileSync(path, "utf8").split("\n");
  lines.pop();
  for (const line of lines) yield* parse(line);
}

/** Replaces the file by `snapshot` in one rename, and appends from there. */
export function startJournal(folder: string, snapshot: Iterable<Change>): Journal {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, file);
  const next = openSync(`${path}.next`, "w");
  for (const change of snapshot) writeWhole(next, line([change]));
  fsyncSync(next);
  closeSync(next);
  renameSync(`${path}.next`, path);
  const handle = openSync(path, "a");
  return {
    append: (changes) => writeWhole(handle, line(changes)),
    close: () => closeSync(handle),
  };
}

function parse(text: string): Change[] {
  // Written by `line` below and by nothing else.
  const changes: Change[] = JSON.parse(text);
  return changes;
}

function line(changes: Change[]): string {
  return `${JSON.stringify(changes)}\n`;
}

function writeWhole(handle: number, text: string) {
  const bytes = Buffer.from(text);
  let written = 0;
  while (written < bytes.length) written += writeSync(handle, bytes, written);
}
