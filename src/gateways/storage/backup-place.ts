import { copyFile, mkdir, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Bucket, StorageLocation } from "@/core/settings/storage-location";
import { type BackupPlace, inBackupOrder, type KeptBackup, madeAt } from "@/domain/backups/place";
import { writePrivateFile } from "@/core/backup/backup";
import { diskCodes, inFolder } from "@/core/database/disk-fault";
import { Refusal } from "@/core/base/refusal";
import { headOf, SealBroken } from "@/core/backup/sealed-file";
import { flushFolder, removeAbandoned } from "./build-store";
import { bucketClient, objectIn, writeObject } from "./s3";

/** The backup place of a setting or command. Creates and contacts nothing until used. */
export const createBackupPlace = (place: StorageLocation): BackupPlace =>
  "folder" in place ? backupFolder(place.folder) : backupBucket(place);

/** Backups in a folder that only its owner can read; writes a temporary file, flushes it and renames it into place. */
function backupFolder(folder: string): BackupPlace {
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
          await writePrivateFile(aside, pieces);
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
    async download(name, to) {
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

/** Backups in an S3 bucket, one object each, always encrypted. */
export function backupBucket(place: Bucket): BackupPlace {
  const client = bucketClient(place);
  const key = (name: string) => objectIn(place, name);
  const name = `s3://${place.prefix ? `${place.bucket}/${place.prefix}` : place.bucket}`;
  const read = backupReader({ open: (backup) => client.file(key(backup)), isGone: isNoSuchKey });
  return {
    name,
    put: (backup, pieces) => translated(name, () => writeObject(client.file(key(backup)), pieces)),
    list: () => translated(name, async () => read(await listAll(client, key("")))),
    remove: (backup) => translated(name, () => client.delete(key(backup))),
    async download(backup, to) {
      const object = client.file(key(backup));
      if (!(await translated(name, () => object.exists()))) return false;
      await translated(name, async () => {
        await writePrivateFile(to, object.stream());
      });
      return true;
    },
  };
}

/** Reads every page of at most a thousand: https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html */
async function listAll(client: Bun.S3Client, folder: string) {
  const found: { name: string; bytes: number }[] = [];
  let continuationToken: string | undefined;
  do {
    const page = await client.list({
      prefix: `${folder}shop-`,
      ...(continuationToken ? { continuationToken } : {}),
    });
    for (const { key, size } of page.contents ?? []) {
      const name = key.slice(folder.length);
      if (madeAt(name) !== null) found.push({ name, bytes: size ?? 0 });
    }
    continuationToken = page.isTruncated ? page.nextContinuationToken : undefined;
  } while (continuationToken);
  return found;
}

const isNoSuchKey = (error: unknown) =>
  error instanceof Error && "code" in error && error.code === "NoSuchKey";

/** Turns a bucket's failure into a sentence with S3's error code. */
async function translated<T>(name: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (cause) {
    if (!(cause instanceof Error) || cause.name !== "S3Error") throw cause;
    const code = "code" in cause ? String(cause.code) : "";
    const sentence = `The bucket ${name} can't be reached or refuses (${code || "no answer"}).`;
    throw new Refusal("unavailable", { sentence }, { cause });
  }
}

type ListedFile = { name: string; bytes: number };
type BackupFiles = {
  open: (name: string) => Blob;
  /** Whether reading failed because the file is gone. */
  isGone: (error: unknown) => boolean;
};

const mostAtOnce = 16;

/**
 * Reads the headers of listed backups, each once, since a file never changes under its name. Leaves out backups that
 * another process removes meanwhile.
 */
function backupReader({ open, isGone }: BackupFiles) {
  const known = new Map<string, KeptBackup>();
  const read = async ({ name, bytes }: ListedFile): Promise<KeptBackup | null> => {
    const made = madeAt(name);
    if (made === null) return null;
    const before = known.get(name);
    if (before?.bytes === bytes) return before;
    const unread = { name, bytes, made, shop: null, number: null };
    // a bucket refuses to read part of an empty object
    if (bytes === 0) return unread;
    try {
      const { made: at, shop, number } = await headOf(open(name));
      const found = { name, bytes, made: new Date(at), shop, number };
      known.set(name, found);
      return found;
    } catch (error) {
      if (error instanceof SealBroken) return unread;
      if (isGone(error)) return null;
      throw error;
    }
  };
  return async (listed: ListedFile[]): Promise<KeptBackup[]> => {
    const found: (KeptBackup | null)[] = [];
    for (let at = 0; at < listed.length; at += mostAtOnce) {
      found.push(...(await Promise.all(listed.slice(at, at + mostAtOnce).map(read))));
    }
    return inBackupOrder(found.filter((one) => one !== null));
  };
}
