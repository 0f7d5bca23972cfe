import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { hour } from "@/contract/time";

/** Whoever still writes a file has written to it more recently. */
const abandonedMilliseconds = hour;

/** Deletes the half-written files that killed processes left in a folder. Never throws: the next time does the rest. */
export async function removeAbandoned(folder: string, pattern: RegExp): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const path of names.filter((name) => pattern.test(name)).map((name) => join(folder, name))) {
    const found = await stat(path).catch(() => null);
    if (!found?.isFile() || Date.now() - found.mtimeMs < abandonedMilliseconds) continue;
    await rm(path, { force: true }).catch(() => {});
  }
}
