import { lstat, mkdir, open, rename, rm, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type BuildStore, isAddress, type ReadableFile } from "@/domain/releases/store";
import { removeAbandoned } from "./abandoned-files";

/** Left free for the database: a full disk stops sales. */
const reservedBytes = 512 * 1024 * 1024;

/**
 * Builds in a folder, one file per address. Writes a file under a temporary name, flushes it, checks it against its
 * address (if `checked`) and renames it into place. So a crash or full disk leaves at most an unused file, which the next process
 * that stores something deletes. Ignores everything except plain files with a valid address. Only this user may read
 * files of a `secret` store.
 */
export function folderStore(folder: string, { secret = false, checked = true } = {}): BuildStore {
  let cleaned: Promise<void> | undefined;
  return {
    async keep(address, file) {
      if (!isAddress(address)) throw new Error("a build is stored under its SHA-256");
      const path = join(folder, address);
      if ((await sizeOf(path)) === file.size) return;
      await mkdir(folder, { recursive: true, ...(secret && { mode: 0o700 }) });
      // once per process is enough
      await (cleaned ??= removeAbandoned(folder, /^\.incoming-/));
      const aside = join(folder, `.incoming-${crypto.randomUUID()}`);
      try {
        if ((await copy(file, aside, secret ? 0o600 : 0o644)) !== address && checked)
          throw new Error("the file changed while it was being stored");
        await rename(aside, path);
        await flushFolder(folder);
      } finally {
        await rm(aside, { force: true });
      }
    },
    async find(address) {
      if (!isAddress(address)) return null;
      const path = join(folder, address);
      const size = await sizeOf(path);
      if (size === null) return null;
      // the kernel sends a file (sendfile) without copying it into this process
      const body = (start: number, end: number) =>
        start === 0 && end === size ? Bun.file(path) : Bun.file(path).slice(start, end);
      return { size, body };
    },
    sizeOf: async (address) => (isAddress(address) ? sizeOf(join(folder, address)) : null),
    async remove(address) {
      if (isAddress(address)) await rm(join(folder, address), { force: true });
    },
    hasSpace: async (bytes) => (await freeBytes(folder)) - bytes >= reservedBytes,
  };
}

/** Free bytes on the disk of a folder that need not exist yet. */
async function freeBytes(folder: string): Promise<number> {
  const found = await statfs(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  return found ? found.bavail * found.bsize : freeBytes(dirname(folder));
}

/** The size of a plain file, or null; does not follow links. */
async function sizeOf(path: string): Promise<number | null> {
  const found = await lstat(path).catch(() => null);
  return found?.isFile() ? found.size : null;
}

/** Copies in pieces and flushes; resolves to the SHA-256 of the bytes written. */
async function copy(from: ReadableFile, to: string, mode: number): Promise<string> {
  const hasher = new Bun.CryptoHasher("sha256");
  const file = await open(to, "wx", mode);
  try {
    for await (const piece of from.stream()) {
      hasher.update(piece);
      await file.writeFile(piece);
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return hasher.digest("hex");
}

/** A rename is durable only once its folder is flushed. */
export async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
