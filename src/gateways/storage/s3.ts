import type { Bucket } from "@/core/storage-location";

/** The size of an uploaded part; S3 requires at least 5 MiB for all but the last. */
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

/** An object's key under the shop's prefix. */
export const objectIn = ({ prefix }: Bucket, name: string) => (prefix ? `${prefix}/${name}` : name);

/** Uploads an object in parts. S3 shows it only once the upload is complete. */
export async function writeObject(object: Bun.S3File, pieces: AsyncIterable<Uint8Array>): Promise<void> {
  const writer = object.writer({ partSize: partBytes, queueSize: 2 });
  for await (const piece of pieces) await writer.write(piece);
  await writer.end();
}
