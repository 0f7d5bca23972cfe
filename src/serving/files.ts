import { join } from "node:path";
import { compress, type Encoding, encodings, isCompressible } from "./encodings";

/** A file in memory, with the smaller versions of it that exist so far. */
export type SiteFile = {
  type: string;
  /** Its name carries its hash or version, so it may be kept for good. */
  immutable: boolean;
  /** Of the content; each encoding appends its own name, since they are different bytes. */
  hash: string;
  bytes: Uint8Array<ArrayBuffer>;
  encoded: Map<Encoding, Uint8Array<ArrayBuffer>>;
};

const variants = new Bun.Glob("**/*.{br,zstd,gzip}");

/** Reads a built site's files, by the path they are served under, and compresses what is not yet. */
export async function readFiles(dir: string): Promise<Map<string, SiteFile>> {
  const paths = [...new Bun.Glob("**/*").scanSync({ cwd: dir, onlyFiles: true, dot: true })];
  const read = paths
    .filter((path) => !variants.match(path))
    .map(async (path) => {
      return [`/${path.replaceAll("\\", "/")}`, await readFile(dir, path)] as const;
    });
  return new Map(await Promise.all(read));
}

/** Compresses as small as it gets, one file after another, and keeps the results beside the files. */
export async function squeeze(dir: string, files: Map<string, SiteFile>): Promise<void> {
  for (const [path, file] of files) {
    if (!isCompressible(file.type)) continue;
    for (const encoding of encodings) {
      const kept = Bun.file(join(dir, `${path}.${encoding}`));
      if (await kept.exists()) continue;
      const bytes = await compress(file.bytes, encoding, "small");
      keepSmaller(file, encoding, bytes);
      await Bun.write(kept, bytes);
    }
  }
}

async function readFile(dir: string, path: string): Promise<SiteFile> {
  const source = Bun.file(join(dir, path));
  const bytes = new Uint8Array(await source.arrayBuffer());
  const file: SiteFile = {
    type: typeOf(path, source.type),
    immutable: /^(?:assets|fonts)\//.test(path),
    hash: new Bun.CryptoHasher("sha256").update(bytes).digest("base64url").slice(0, 22),
    bytes,
    encoded: new Map(),
  };
  if (isCompressible(file.type))
    await Promise.all(encodings.map((encoding) => readEncoded(dir, path, file, encoding)));
  return file;
}

async function readEncoded(dir: string, path: string, file: SiteFile, encoding: Encoding) {
  const kept = Bun.file(join(dir, `${path}.${encoding}`));
  const bytes = (await kept.exists()) ? await kept.bytes() : await compress(file.bytes, encoding, "quick");
  keepSmaller(file, encoding, bytes);
}

function keepSmaller(file: SiteFile, encoding: Encoding, bytes: Uint8Array<ArrayBuffer>) {
  if (bytes.length < file.bytes.length) file.encoded.set(encoding, bytes);
}

function typeOf(path: string, guessed: string) {
  if (path.endsWith(".webmanifest")) return "application/manifest+json";
  if (path.endsWith(".map")) return "application/json";
  return guessed;
}
