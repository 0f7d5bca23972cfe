import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";

/** As much as is hashed without letting the page draw. */
const chunkBytes = 1024 * 1024;

/** The SHA-256 of a file of any size, which the browser's own digest could only make of a file held in memory. */
export async function sha256OfFile(
  file: Blob,
  onBytes: (done: number) => void,
  signal: AbortSignal,
): Promise<string> {
  const hash = sha256.create();
  for (let at = 0; at < file.size; at += chunkBytes) {
    signal.throwIfAborted();
    hash.update(new Uint8Array(await file.slice(at, at + chunkBytes).arrayBuffer()));
    onBytes(Math.min(at + chunkBytes, file.size));
  }
  return bytesToHex(hash.digest());
}

/** The SHA-256 of a part, which the browser makes beside the page. */
export async function sha256OfPart(bytes: ArrayBuffer): Promise<string> {
  // only https and localhost have it
  const { subtle }: { subtle?: SubtleCrypto } = crypto;
  return bytesToHex(
    subtle ? new Uint8Array(await subtle.digest("SHA-256", bytes)) : sha256(new Uint8Array(bytes)),
  );
}
