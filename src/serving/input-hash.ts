import { join, relative } from "node:path";
import { root } from "./root";

const folders = ["src/web", "src/contract", "src/serving", "public"];
const everything = new Bun.Glob("**/*");

/** Hash of everything that goes into the built site: sources, pictures, packages, Bun itself. */
export async function inputHash(brandDir = join(root, "src/brand")): Promise<string> {
  const folderPaths = [...folders.map((folder) => join(root, folder)), brandDir];
  const single = ["bun.lock", "tsconfig.json"].map((name) => join(root, name));
  const paths = [...folderPaths.flatMap(filesBelow), ...single].toSorted();
  const hash = new Bun.CryptoHasher("sha256").update(Bun.version);
  const contents = await Promise.all(paths.map((path) => Bun.file(path).bytes()));
  for (const [index, bytes] of contents.entries()) {
    hash.update(`\0${relative(root, paths[index] ?? "")}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest("hex").slice(0, 32);
}

function filesBelow(folder: string) {
  const names = [...everything.scanSync({ cwd: folder, onlyFiles: true })];
  return names.map((name) => join(folder, name));
}
