import { randomUUID } from "node:crypto";
import { rename, writeFile } from "node:fs/promises";
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

/** What the encodings of a file, and drafts of them, are called beside it. */
const variant = /\.(?:br|zstd|gzip)(?:\.[^/]*)?$/;

/** Reads a built site's files, by the path they are served under, and compresses what is not yet. */
export async function readFiles(dir: string): Promise<Map<string, SiteFile>> {
  return new Map(
    await Promise.all(
      pathsBelow(dir).map(async (path) => {
        const file = await readPlain(dir, path);
        await encode(file, (encoding) => Bun.file(join(dir, `${path}.${encoding}`)));
        return [`/${path}`, file] as const;
      }),
    ),
  );
}

/** The hash of each file, by the path it is served under. */
export async function hashFiles(dir: string): Promise<Record<string, string>> {
  const entries = pathsBelow(dir).map(
    async (path) => [`/${path}`, (await readPlain(dir, path)).hash] as const,
  );
  return Object.fromEntries(await Promise.all(entries));
}

/** A file that was never on a disk. */
export async function fileFromText(text: string, type: string): Promise<SiteFile> {
  const file = plain(new TextEncoder().encode(text), type, false);
  await encode(file, () => undefined);
  return file;
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
      await writeWhole(join(dir, `${path}.${encoding}`), bytes);
    }
  }
}

function pathsBelow(dir: string) {
  const paths = [...new Bun.Glob("**/*").scanSync({ cwd: dir, onlyFiles: true, dot: true })];
  return paths.map((path) => path.replaceAll("\\", "/")).filter((path) => !variant.test(path));
}

async function readPlain(dir: string, path: string) {
  const source = Bun.file(join(dir, path));
  const bytes = new Uint8Array(await source.arrayBuffer());
  return plain(bytes, typeOf(path, source.type), /^(?:assets|fonts)\//.test(path));
}

function plain(bytes: Uint8Array<ArrayBuffer>, type: string, immutable: boolean): SiteFile {
  const hash = new Bun.CryptoHasher("sha256").update(bytes).digest("base64url").slice(0, 22);
  return { type, immutable, hash, bytes, encoded: new Map() };
}

/** Adds the encodings that are kept somewhere, and quick ones for the rest. */
async function encode(file: SiteFile, keptAt: (encoding: Encoding) => Bun.BunFile | undefined) {
  if (!isCompressible(file.type)) return;
  await Promise.all(
    encodings.map(async (encoding) => {
      const kept = keptAt(encoding);
      const bytes = (await kept?.exists()) ? await kept?.bytes() : undefined;
      keepSmaller(file, encoding, bytes ?? (await compress(file.bytes, encoding, "quick")));
    }),
  );
}

/** A power cut must not leave half a file under the name of a whole one. */
async function writeWhole(path: string, bytes: Uint8Array) {
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, bytes, { flush: true });
  await rename(draft, path);
}

function keepSmaller(file: SiteFile, encoding: Encoding, bytes: Uint8Array<ArrayBuffer>) {
  if (bytes.length < file.bytes.length) file.encoded.set(encoding, bytes);
}

function typeOf(path: string, guessed: string) {
  if (path.endsWith(".webmanifest")) return "application/manifest+json";
  if (path.endsWith(".map")) return "application/json";
  return guessed;
}
