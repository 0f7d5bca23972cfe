import { dirname, join } from "node:path";
import { lstat, mkdir, open, readdir, rename, rm, stat, statfs } from "node:fs/promises";
import type { BuildsConfig } from "@/core/settings/config";
import { type BuildStore, isAddress, type ReadableFile, type StoredBuild } from "@/domain/releases/store";
import type { Bucket } from "@/core/settings/storage-location";
import { Refusal } from "@/core/base/refusal";
import { hour } from "@/contract/vocabulary/time";
import { bucketClient, objectIn, writeObject } from "./s3";

/** The configured build store. Creates and contacts nothing until used. */
export const createBuildStore = (config: BuildsConfig): BuildStore =>
  "folder" in config ? folderStore(config.folder) : bucketStore(config);

/** Ticket files, separate from the builds, so that erasing a ticket file never removes a build with the same bytes. */
export const createTicketFileStore = (config: BuildsConfig): BuildStore =>
  "folder" in config
    ? folderStore(join(config.folder, ticketFiles), { secret: true })
    : bucketStore({ ...config, prefix: objectIn(config, ticketFiles), copies: null });

/** Parts of builds on their way, which have addresses of their own instead of their SHA-256. */
export const createPartStore = (config: BuildsConfig): BuildStore =>
  "folder" in config
    ? folderStore(join(config.folder, parts), { secret: true, checked: false })
    : bucketStore({ ...config, prefix: objectIn(config, parts), copies: null });

const ticketFiles = "tickets";
const parts = "uploads";

/** Left free for the database: a full disk stops sales. */
const reservedBytes = 512 * 1024 * 1024;

/**
 * Builds in a folder, one file per address. Writes a file under a temporary name, flushes it, checks it against its
 * address (if `checked`) and renames it into place. So a crash or full disk leaves at most an unused file, which the next process
 * that stores something deletes. Ignores everything except plain files with a valid address. Only this user may read
 * files of a `secret` store.
 */
function folderStore(folder: string, { secret = false, checked = true } = {}): BuildStore {
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

type BucketConfig = Bucket & {
  /** The folder for local copies; null for none. */
  copies: string | null;
};

/**
 * Builds in an S3 bucket, one object per address. S3 shows an object only once it is complete, so uploads need no
 * temporary name. Downloads go through the shop, which checks access and sets the headers.
 *
 * Also copies a requested build to this machine and then sends it from there: the server can state the length of a
 * file but not of a stream (oven-sh/bun#10507), and downloads survive a bucket outage. The copies may be deleted at
 * any time.
 */
function bucketStore({ copies, ...config }: BucketConfig): BuildStore {
  const client = bucketClient(config);
  const objectAt = (address: string) => client.file(objectIn(config, address));
  const local = copies === null ? null : folderStore(copies);
  const copying = new Map<string, Promise<void>>();
  const copyMeanwhile = (to: BuildStore, address: string) => {
    const copied = to.keep(address, objectAt(address)).catch(() => {
      // the next request tries again
    });
    copying.set(
      address,
      copied.finally(() => copying.delete(address)),
    );
  };
  return {
    async keep(address, file) {
      if (!isAddress(address)) throw new Error("a build is stored under its SHA-256");
      if ((await bytesOf(objectAt(address))) === file.size) return;
      await writeObject(objectAt(address), file.stream());
    },
    async find(address): Promise<StoredBuild | null> {
      if (!isAddress(address)) return null;
      const here = await local?.find(address);
      if (here) return here;
      const size = await bytesOf(objectAt(address));
      if (size === null) return null;
      if (local && !copying.has(address)) copyMeanwhile(local, address);
      return { size, body: (start, end) => objectAt(address).slice(start, end).stream() };
    },
    sizeOf: async (address) => (isAddress(address) ? bytesOf(objectAt(address)) : null),
    async remove(address) {
      if (!isAddress(address)) return;
      await copying.get(address);
      await local?.remove(address);
      await objectAt(address)
        .delete()
        .catch((cause: unknown) => {
          throw new Refusal("unavailable", {}, { cause });
        });
    },
    // a bucket has no fixed size
    hasSpace: async () => true,
  };
}

/** An object's size, or null if there is none. Refuses with `unavailable` if the bucket doesn't answer. */
async function bytesOf(object: Bun.S3File): Promise<number | null> {
  try {
    return (await object.stat()).size;
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "NoSuchKey") return null;
    throw new Refusal("unavailable", {}, { cause });
  }
}

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
