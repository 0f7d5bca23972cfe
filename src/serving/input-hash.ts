import { join, relative } from "node:path";
import { brandFolder, brandIn } from "@/brand/the-brand";
import { root } from "./root";

const folders = ["src/web", "src/contract", "src/serving", "src/brand", "public"];
const everything = new Bun.Glob("**/*");

/** Hash of everything that goes into the built site: sources, brand, pictures, packages, Bun itself. */
export async function inputHash(brandDir = brandFolder()): Promise<string> {
  const single = ["bun.lock", "tsconfig.json"].map((name) => join(root, name));
  const own = [...folders.flatMap((folder) => filesBelow(join(root, folder))), ...single]
    .map((path) => [relative(root, path), path] as const)
    // what goes in is the brand in use
    .filter(([name]) => !/^src[\\/]brand[\\/]sample[\\/]/.test(name));
  const brand = filesBelow(brandDir).map((path) => [join("brand", relative(brandDir, path)), path] as const);
  const named = [...own, ...brand].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const hash = new Bun.CryptoHasher("sha256").update(Bun.version);
  const contents = await Promise.all(named.map(([, path]) => Bun.file(path).bytes()));
  for (const [index, bytes] of contents.entries())
    hash.update(`\0${named[index]?.[0]}\0${bytes.length}\0`).update(bytes);
  // the folder may have changed since this process read it
  for (const { markdown } of Object.values(brandIn(brandDir).legal)) hash.update(`\0${markdown}`);
  return hash.digest("hex").slice(0, 32);
}

function filesBelow(folder: string) {
  const names = [...everything.scanSync({ cwd: folder, onlyFiles: true })];
  return names.map((name) => join(folder, name));
}
