import type { Bucket } from "@/core/settings/storage-location";
import { streamOf } from "@/core/base/stream-of";

/** The size of an uploaded part; S3 requires at least 5 MiB for every part but the last. */
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

/** What a bucket answers where Bun's error doesn't say; null if there is no answer. */
export async function rawAnswer(place: Bucket): Promise<{ status: number; body: string } | null> {
  const url = bucketClient(place).presign(objectIn(place, "trial"));
  try {
    const answer = await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(10_000) });
    return { status: answer.status, body: await answer.text() };
  } catch {
    return null;
  }
}

/**
 * Uploads an object in parts. S3 shows it only once the upload is complete. Bun's `writer()` would read the whole
 * source into memory however slow the bucket is, and complete the upload even at `end(error)`; this reads a stream
 * only as fast as the bucket accepts it, and aborts the upload at once if the stream fails.
 */
export async function writeObject(object: Bun.S3File, pieces: AsyncIterable<Uint8Array>): Promise<void> {
  await object.write(new Response(streamOf(pieces)), { partSize: partBytes, queueSize: 2 });
}
