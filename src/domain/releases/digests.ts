import type { ReadableFile } from "./store";

export type Digests = { size: number; sha256: string; sha512: Buffer };

/** Digests and size of a file, read once in chunks. `sha256` is hexadecimal. */
export async function digestsOf(file: ReadableFile, onProgress?: (bytes: number) => void): Promise<Digests> {
  const [sha256, sha512] = [new Bun.CryptoHasher("sha256"), new Bun.CryptoHasher("sha512")];
  let size = 0;
  for await (const piece of file.stream()) {
    sha256.update(piece);
    sha512.update(piece);
    size += piece.byteLength;
    onProgress?.(size);
  }
  return { size, sha256: sha256.digest("hex"), sha512: sha512.digest() };
}
