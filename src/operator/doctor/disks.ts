import { existsSync } from "node:fs";
import { rm, stat, statfs, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { inFolder } from "@/core/database/disk-fault";
import { refusalIn } from "@/core/base/refusal";
import type { Finding } from "@/domain/system/system";
import type { OpenShop } from "../terminal/command-line";
import { warning, well, wrong } from "./finding";

const gibibyte = 1024 ** 3;
const leastFree = gibibyte;
const triedBytes = 64 * 1024;

/** Whether the folders that the shop writes to can be written and have free space: its data, builds and backups elsewhere, and temporary files. */
export async function disks({ config }: OpenShop): Promise<Finding[]> {
  const { place, everyHours } = config.backups;
  const backups = "folder" in place && everyHours !== null ? [place.folder] : [];
  const builds = "folder" in config.builds ? [config.builds.folder] : [];
  const folders = new Set([config.dataDir, tmpdir()]);
  for (const folder of [...builds, ...backups]) {
    if (!(await liesIn(config.dataDir, folder))) folders.add(folder);
  }
  return Promise.all(Array.from(folders, disk));
}

/** Whether the folder lies in the outer one, on the same disk. */
async function liesIn(outer: string, folder: string): Promise<boolean> {
  if (!folder.startsWith(`${outer}/`)) return false;
  const [around, there] = await Promise.all([stat(outer), stat(existingParent(folder))]);
  return there.isDirectory() && there.dev === around.dev;
}

async function disk(folder: string): Promise<Finding> {
  const there = existingParent(folder);
  try {
    await inFolder(folder, () => writeSomething(there));
  } catch (error) {
    const sentence = refusalIn(error)?.detail.sentence;
    if (!sentence) throw error;
    return wrong("disk", sentence);
  }
  const { bavail, bsize } = await statfs(there);
  const free = bavail * bsize;
  const sentence = `${formatBytes(free)} are free in ${folder}`;
  if (free >= leastFree) return well("disk", `${sentence}.`);
  return warning("disk", `Only ${sentence}: keep at least ${leastFree / gibibyte} GiB.`);
}

const formatBytes = (bytes: number) =>
  bytes < gibibyte ? `${Math.floor(bytes / 1024 ** 2)} MiB` : `${(bytes / gibibyte).toFixed(1)} GiB`;

/** The folder, or where it will be made. */
const existingParent = (folder: string): string =>
  existsSync(folder) ? folder : existingParent(dirname(folder));

/** Fails as the system does if the folder can't be written. */
async function writeSomething(folder: string): Promise<void> {
  const path = join(folder, `.latchkey-doctor-${crypto.randomUUID()}`);
  try {
    // not synced: on a slow disk that would block Bun's few file threads, and with them the other checks
    await writeFile(path, Buffer.alloc(triedBytes), { flag: "wx", mode: 0o600 });
  } finally {
    await rm(path, { force: true }).catch(() => {});
  }
}
