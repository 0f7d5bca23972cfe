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

/** What a stand-in keeps: one line of the file for each list of changes that belong together. */
export type Journal<Change> = { append(changes: Change[]): void; close(): void };

type Place = { folder: string; file: string };

/** The changes on disk, oldest first. A line that a crash cut off is left out: nobody was answered for it. */
export function* readJournal<Change>({ folder, file }: Place): Generator<Change> {
  const path = join(folder, file);
  if (!existsSync(path)) return;
  const lines = readFileSync(path, "utf8").split("\n");
  lines.pop();
  // written by `line` below and by nothing else
  for (const text of lines) yield* JSON.parse(text) as Change[];
}

/** Replaces the file by `snapshot` in one rename, and appends from there. */
export function startJournal<Change>({ folder, file }: Place, snapshot: Iterable<Change>): Journal<Change> {
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

const line = (changes: unknown[]) => `${JSON.stringify(changes)}\n`;

function writeWhole(handle: number, text: string) {
  const bytes = Buffer.from(text);
  let written = 0;
  while (written < bytes.length) written += writeSync(handle, bytes, written);
}
