import { writePrivately } from "@/core/backup/backup";
import type { Bucket } from "@/core/settings/storage-location";
import { Refusal } from "@/core/base/refusal";
import { type BackupPlace, madeAt } from "@/domain/backups/place";
import { backupReader } from "./backup-list";
import { bucketClient, objectIn, writeObject } from "./s3";

/** Backups in an S3 bucket, one object each, always encrypted. */
export function backupBucket(place: Bucket): BackupPlace {
  const client = bucketClient(place);
  const key = (name: string) => objectIn(place, name);
  const name = `s3://${place.prefix ? `${place.bucket}/${place.prefix}` : place.bucket}`;
  const read = backupReader({ open: (backup) => client.file(key(backup)), isGone });
  return {
    name,
    put: (backup, pieces) => translated(name, () => writeObject(client.file(key(backup)), pieces)),
    list: () => translated(name, async () => read(await listed(client, key("")))),
    remove: (backup) => translated(name, () => client.delete(key(backup))),
    async bring(backup, to) {
      const object = client.file(key(backup));
      if (!(await translated(name, () => object.exists()))) return false;
      await translated(name, async () => {
        await writePrivately(to, object.stream());
      });
      return true;
    },
  };
}

/** Reads every page of at most a thousand: https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html */
async function listed(client: Bun.S3Client, folder: string) {
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

const isGone = (error: unknown) => error instanceof Error && "code" in error && error.code === "NoSuchKey";

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
