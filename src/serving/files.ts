import { join } from "node:path";
import { compress, type Effort, type Encoding, encodings, isCompressible } from "./encodings";

/** A file in memory, with the compressed versions that are smaller than it. */
export type SiteFile = {
  type: string;
  /** Its name holds its hash or version, so browsers may cache it forever. */
  immutable: boolean;
  /** Hash of the uncompressed content. */
  hash: string;
  bytes: Uint8Array<ArrayBuffer>;
  encoded: Map<Encoding, Uint8Array<ArrayBuffer>>;
};

/** The suffix of a compressed version's name. */
const variant = /\.(br|gzip)$/;

/** Writes compressed versions next to a folder's files. */
export async function compressFolder(dir: string): Promise<void> {
  await Promise.all(
    pathsBelow(dir).map(async (path) => {
      const bytes = await Bun.file(join(dir, path)).bytes();
      const encoded = await encode(bytes, typeOf(path), "build");
      for (const [encoding, smaller] of encoded) await Bun.write(join(dir, `${path}.${encoding}`), smaller);
    }),
  );
}

/** The hash of each file of a folder, compressed versions included. */
export async function hashFolder(dir: string): Promise<Record<string, string>> {
  const entries = pathsBelow(dir).map(async (path) => [
    path,
    hashOf(await Bun.file(join(dir, path)).bytes()),
  ]);
  return Object.fromEntries(await Promise.all(entries));
}

/** Reads a built folder, keyed by URL path; undefined if a file is missing or damaged. */
export async function readFolder(
  dir: string,
  hashes: Record<string, string>,
): Promise<Map<string, SiteFile> | undefined> {
  const read = await Promise.all(
    Object.entries(hashes).map(async ([path, hash]) => {
      const bytes = await Bun.file(join(dir, path))
        .bytes()
        .catch(() => undefined);
      return bytes && hashOf(bytes) === hash ? ([path, { bytes, hash }] as const) : undefined;
    }),
  );
  const contents = new Map(read.filter((entry) => entry !== undefined));
  if (contents.size < read.length) return undefined;
  const files = [...contents].filter(([path]) => !variant.test(path));
  return new Map(
    files.map(([path, { bytes, hash }]) => {
      const encoded = new Map<Encoding, Uint8Array<ArrayBuffer>>();
      for (const encoding of encodings) {
        const smaller = contents.get(`${path}.${encoding}`);
        if (smaller) encoded.set(encoding, smaller.bytes);
      }
      const immutable = /^(?:assets|fonts)\//.test(path);
      return [`/${path}`, { type: typeOf(path), immutable, hash, bytes, encoded }];
    }),
  );
}

/** A file that contains the shop's URL, and so is made at each start. */
export async function fileFromText(text: string, type: string): Promise<SiteFile> {
  const bytes = new TextEncoder().encode(text);
  return { type, immutable: false, hash: hashOf(bytes), bytes, encoded: await encode(bytes, type, "start") };
}

function pathsBelow(dir: string) {
  const paths = [...new Bun.Glob("**/*").scanSync({ cwd: dir, onlyFiles: true, dot: true })];
  return paths.map((path) => path.replaceAll("\\", "/"));
}

/** Leaves out encodings that make the file no smaller. */
async function encode(bytes: Uint8Array<ArrayBuffer>, type: string, effort: Effort) {
  const encoded = new Map<Encoding, Uint8Array<ArrayBuffer>>();
  if (!isCompressible(type)) return encoded;
  const results = await Promise.all(
    encodings.map(async (encoding) => [encoding, await compress(bytes, encoding, effort)] as const),
  );
  for (const [encoding, smaller] of results) {
    if (smaller.length < bytes.length) encoded.set(encoding, smaller);
  }
  return encoded;
}

function hashOf(bytes: Uint8Array) {
  return new Bun.CryptoHasher("sha256").update(bytes).digest("base64url").slice(0, 22);
}

function typeOf(path: string) {
  if (path.endsWith(".webmanifest")) return "application/manifest+json";
  if (path.endsWith(".map")) return "application/json";
  return Bun.file(path).type;
}
