import type { BuildsConfig } from "@/core/config";
import { type BuildStore, isAddress } from "@/domain/releases/store";

type BucketConfig = Exclude<BuildsConfig, { folder: string }>;

/** Sent at once; S3 takes nothing smaller than 5 MiB but the last part. */
const partBytes = 8 * 1024 * 1024;

/**
 * Builds in an S3 bucket, one object an address. S3 shows an object only when all of it has arrived, so
 * nothing need be written aside. Downloads pass through the shop, which keeps the gate and the headers.
 */
export function bucketStore({ bucket, prefix, endpoint, region, ...credentials }: BucketConfig): BuildStore {
  const client = new Bun.S3Client({
    bucket,
    ...credentials,
    ...(endpoint ? { endpoint } : {}),
    ...(region ? { region } : {}),
  });
  const objectAt = (address: string) => client.file(prefix ? `${prefix}/${address}` : address);
  const sizeOf = async (address: string) => {
    try {
      return (await objectAt(address).stat()).size;
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "NoSuchKey") return null;
      throw error;
    }
  };
  return {
    async keep(address, file) {
      if (!isAddress(address)) throw new Error("a build is kept under its SHA-256");
      if ((await sizeOf(address)) === file.size) return;
      const writer = objectAt(address).writer({
        partSize: partBytes,
        queueSize: 2,
        type: "application/octet-stream",
      });
      for await (const piece of file.stream()) {
        await writer.write(piece);
      }
      await writer.end();
    },
    async find(address) {
      if (!isAddress(address)) return null;
      const size = await sizeOf(address);
      return size === null
        ? null
        : { size, body: (start, end) => objectAt(address).slice(start, end).stream() };
    },
  };
}
