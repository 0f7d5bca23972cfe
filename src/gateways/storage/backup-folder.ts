import { copyFile, mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { writePrivately } from "@/core/backup";
import { Refusal, refusalIn } from "@/core/refusal";
import { type BackupPlace, madeAt } from "@/domain/backups/place";
import { backupReader } from "./backup-list";
import { flushFolder } from "./build-folder";

/** Backups in a folder that only its owner can read; written to a temporary file, flushed and renamed into place. */
export function backupFolder(folder: string): BackupPlace {
  const at = (name: string) => join(folder, name);
  const read = backupReader({ open: (name) => Bun.file(at(name)), isGone });
  return {
    name: folder,
    put: (name, pieces) =>
      spoken(folder, async () => {
        await mkdir(folder, { recursive: true, mode: 0o700 });
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
      spoken(folder, async () => {
        const names = await readdir(folder).catch(nothingWhereNoFolderIs);
        const backups = names.filter((name) => madeAt(name) !== null);
        return read(backups.map((name) => ({ name, bytes: Bun.file(at(name)).size })));
      }),
    remove: (name) => spoken(folder, () => rm(at(name), { force: true })),
    async bring(name, to) {
      if (!(await Bun.file(at(name)).exists())) return false;
      await spoken(folder, () => copyFile(at(name), to));
      return true;
    },
  };
}

const isGone = (error: unknown) => error instanceof Error && "code" in error && error.code === "ENOENT";

const nothingWhereNoFolderIs = (error: unknown): string[] => {
  if (isGone(error)) return [];
  throw error;
};

const sentences: Record<string, string> = {
  ENOENT: "it can't be created there",
  ENOSPC: "its disk is full",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "it is read-only",
  ENOTDIR: "it is not a folder",
};

/** Turns an operating system error into a sentence. */
async function spoken<T>(folder: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
    if (refusalIn(cause) || !/^E[A-Z]+$/.test(code)) throw cause;
    const why = sentences[code] ?? code;
    throw new Refusal("unavailable", { sentence: `The folder ${folder} can't be used: ${why}.` }, { cause });
  }
}
