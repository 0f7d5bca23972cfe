import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { hour } from "@/contract/vocabulary/time";

/** A process that is still writing a file has written to it more recently. */
const abandonedMilliseconds = hour;

/**
 * Deletes the half-written files that killed processes left in a folder. Never throws; the next call deletes what this
 * one could not.
 */
export async function removeAbandoned(folder: string, pattern: RegExp): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const path of names.filter((name) => pattern.test(name)).map((name) => join(folder, name))) {
    const found = await stat(path).catch(() => null);
    if (!found?.isFile() || Date.now() - found.mtimeMs < abandonedMilliseconds) continue;
    await rm(path, { force: true }).catch(() => {});
  }
}
