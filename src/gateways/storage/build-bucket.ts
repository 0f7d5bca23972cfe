import type { Bucket } from "@/core/settings/storage-location";
import { Refusal } from "@/core/base/refusal";
import { type BuildStore, isAddress, type StoredBuild } from "@/domain/releases/store";
import { folderStore } from "./build-folder";
import { bucketClient, objectIn, writeObject } from "./s3";

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
export function bucketStore({ copies, ...config }: BucketConfig): BuildStore {
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
      if ((await sizeOf(objectAt(address))) === file.size) return;
      await writeObject(objectAt(address), file.stream());
    },
    async find(address): Promise<StoredBuild | null> {
      if (!isAddress(address)) return null;
      const here = await local?.find(address);
      if (here) return here;
      const size = await sizeOf(objectAt(address));
      if (size === null) return null;
      if (local && !copying.has(address)) copyMeanwhile(local, address);
      return { size, body: (start, end) => objectAt(address).slice(start, end).stream() };
    },
    sizeOf: async (address) => (isAddress(address) ? sizeOf(objectAt(address)) : null),
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
async function sizeOf(object: Bun.S3File): Promise<number | null> {
  try {
    return (await object.stat()).size;
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "NoSuchKey") return null;
    throw new Refusal("unavailable", {}, { cause });
  }
}
