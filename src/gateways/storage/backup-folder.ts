import { copyFile, mkdir, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { writePrivately } from "@/core/backup/backup";
import { diskCodes, inFolder } from "@/core/database/disk-fault";
import { type BackupPlace, madeAt } from "@/domain/backups/place";
import { removeAbandoned } from "./abandoned-files";
import { backupReader } from "./backup-list";
import { flushFolder } from "./build-folder";

/** Backups in a folder that only its owner can read; writes a temporary file, flushes it and renames it into place. */
export function backupFolder(folder: string): BackupPlace {
  const at = (name: string) => join(folder, name);
  const read = backupReader({ open: (name) => Bun.file(at(name)), isGone });
  return {
    name: folder,
    put: (name, pieces) =>
      inFolder(folder, async () => {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await removeAbandoned(folder, /^\.shop-.*\.part$/);
        const aside = at(`.${name}.part`);
        try {
          await writePrivately(aside, pieces);
          await rename(aside, at(name));
          await flushFolder(folder);
        } finally {
          await rm(aside, { force: true });
        }
      }),
    list: () =>
      inFolder(folder, async () => {
        const names = await readdir(folder).catch(nothingWhereNoFolderIs);
        const backups = names.filter((name) => madeAt(name) !== null);
        return read(backups.map((name) => ({ name, bytes: Bun.file(at(name)).size })));
      }),
    remove: (name) => inFolder(folder, () => rm(at(name), { force: true })),
    async bring(name, to) {
      if (!(await Bun.file(at(name)).exists())) return false;
      const copy = () => copyFile(at(name), to);
      await inFolder(folder, () => inFolder(dirname(to), copy, diskCodes));
      return true;
    },
  };
}

const isGone = (error: unknown) => error instanceof Error && "code" in error && error.code === "ENOENT";

const nothingWhereNoFolderIs = (error: unknown): string[] => {
  if (isGone(error)) return [];
  throw error;
};
