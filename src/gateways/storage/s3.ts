import type { Bucket } from "@/core/storage-location";

/** Sent at once; S3 takes nothing smaller than 5 MiB but the last part. */
const partBytes = 8 * 1024 * 1024;

export const bucketClient = ({ bucket, endpoint, region, ...access }: Bucket): Bun.S3Client =>
  new Bun.S3Client({
    bucket,
    accessKeyId: access.accessKeyId,
    secretAccessKey: access.secretAccessKey,
    type: "application/octet-stream",
    ...(endpoint ? { endpoint } : {}),
    ...(region ? { region } : {}),
  });

/** The key of an object in the part of a bucket that is ours. */
export const objectIn = ({ prefix }: Bucket, name: string) => (prefix ? `${prefix}/${name}` : name);

/** Sends an object in parts. S3 shows it once all of it has arrived, and not at all where that fails. */
export async function writeObject(object: Bun.S3File, pieces: AsyncIterable<Uint8Array>): Promise<void> {
  const writer = object.writer({ partSize: partBytes, queueSize: 2 });
  for await (const piece of pieces) await writer.write(piece);
  await writer.end();
}
