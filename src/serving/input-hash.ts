import { join, relative } from "node:path";
import { brandFolder, brandIn } from "@/brand/the-brand";
import { root } from "./root";

const folders = ["src/web", "src/contract", "src/serving", "src/brand", "public"];
const everything = new Bun.Glob("**/*");

/**
 * Hashes of everything that goes into the built site, as `SOURCES-BRAND`: sources, packages and Bun itself, and the brand
 * with its pictures.
 */
export async function inputHash(brandDir = brandFolder()): Promise<string> {
  const single = ["bun.lock", "tsconfig.json"].map((name) => join(root, name));
  const own = [...folders.flatMap((folder) => filesBelow(join(root, folder))), ...single]
    .map((path) => [relative(root, path), path] as const)
    // what goes in is the brand in use
    .filter(([name]) => !/^src[\\/]brand[\\/]sample[\\/]/.test(name));
  const brand = filesBelow(brandDir).map((path) => [relative(brandDir, path), path] as const);
  // the folder may have changed since this process read it
  const legal = Object.values(brandIn(brandDir).legal).map(({ markdown }) => markdown);
  return `${await hashOf(own, [Bun.version])}-${await hashOf(brand, legal)}`;
}

async function hashOf(files: (readonly [name: string, path: string])[], texts: string[]): Promise<string> {
  const named = files.toSorted(([one], [other]) => (one < other ? -1 : 1));
  const hash = new Bun.CryptoHasher("sha256");
  for (const text of texts) hash.update(`${text}\0`);
  const contents = await Promise.all(named.map(([, path]) => Bun.file(path).bytes()));
  for (const [index, bytes] of contents.entries())
    hash.update(`\0${named[index]?.[0]}\0${bytes.length}\0`).update(bytes);
  return hash.digest("hex").slice(0, 32);
}

function filesBelow(folder: string) {
  const names = [...everything.scanSync({ cwd: folder, onlyFiles: true })];
  return names.map((name) => join(folder, name));
}
