import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  bytesInWords,
  existingParent,
  isNearlyFull,
  keptFolders,
  leastInWords,
  spaceIn,
} from "@/core/database/disk-space";
import { inFolder } from "@/core/database/disk-fault";
import { refusalIn } from "@/core/base/refusal";
import type { Finding } from "@/domain/system/system";
import type { OpenShop } from "../terminal/command-line";
import { warning, well, wrong } from "./finding";

const triedBytes = 64 * 1024;

/** Whether the folders that the shop writes to can be written and have free space: its data, builds and backups elsewhere, and temporary files. */
export async function disks({ config }: OpenShop): Promise<Finding[]> {
  const folders = new Set([...(await keptFolders(config)), tmpdir()]);
  return Promise.all(Array.from(folders, disk));
}

async function disk(folder: string): Promise<Finding> {
  try {
    await inFolder(folder, () => writeSomething(existingParent(folder)));
  } catch (error) {
    const sentence = refusalIn(error)?.detail.sentence;
    if (!sentence) throw error;
    return wrong("disk", sentence);
  }
  const space = await spaceIn(folder);
  const sentence = `${bytesInWords(space.free)} are free in ${folder}`;
  if (!isNearlyFull(space)) return well("disk", `${sentence}.`);
  return warning("disk", `Only ${sentence}: keep at least ${leastInWords(space)}.`);
}

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
