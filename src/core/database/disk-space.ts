import { existsSync } from "node:fs";
import { stat, statfs } from "node:fs/promises";
import { dirname } from "node:path";
import type { Config } from "../settings/config";

/** How many bytes of a folder's disk the shop may still write, of how many. */
export type DiskSpace = { folder: string; free: number; size: number };

const gibibyte = 1024 ** 3;
const leastFree = gibibyte;
const leastPart = 0.05;

export const isNearlyFull = ({ free, size }: Pick<DiskSpace, "free" | "size">): boolean =>
  free < leastFree || free < size * leastPart;

export const leastInWords = ({ size }: Pick<DiskSpace, "size">): string =>
  bytesInWords(Math.max(leastFree, size * leastPart));

export const bytesInWords = (bytes: number): string =>
  bytes < gibibyte ? `${Math.floor(bytes / 1024 ** 2)} MiB` : `${(bytes / gibibyte).toFixed(1)} GiB`;

/** The space on the disk of a folder, which need not exist yet. */
export async function spaceIn(folder: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(existingParent(folder));
  return { folder, free: bavail * bsize, size: blocks * bsize };
}

/** The folder, or where it will be made. */
export const existingParent = (folder: string): string =>
  existsSync(folder) ? folder : existingParent(dirname(folder));

/** The folders on this machine that the shop keeps things in, one for each disk that is known to be another. */
export async function keptFolders({
  dataDir,
  builds,
  backups: { place, everyHours },
}: Pick<Config, "dataDir" | "builds" | "backups">): Promise<string[]> {
  const folders = [dataDir];
  const others = [
    ...("folder" in builds ? [builds.folder] : []),
    ...("folder" in place && everyHours !== null ? [place.folder] : []),
  ];
  for (const folder of others) if (!(await liesIn(dataDir, folder))) folders.push(folder);
  return [...new Set(folders)];
}

/** Whether the folder lies in the outer one, on the same disk. */
async function liesIn(outer: string, folder: string): Promise<boolean> {
  if (!folder.startsWith(`${outer}/`)) return false;
  const [around, there] = await Promise.all([stat(outer), stat(existingParent(folder))]);
  return there.isDirectory() && there.dev === around.dev;
}
