import { join } from "node:path";
import { root } from "./root";

const folders = ["src/web", "src/brand", "src/contract", "src/serving", "public"];
const everything = new Bun.Glob("**/*");

/** Hash of all that the built site depends on: sources, pictures, packages, Bun itself. */
export async function inputHash(): Promise<string> {
  const paths = [...folders.flatMap(filesBelow), "bun.lock", "tsconfig.json"].toSorted();
  const hash = new Bun.CryptoHasher("sha256").update(Bun.version);
  const contents = await Promise.all(paths.map((path) => Bun.file(join(root, path)).bytes()));
  for (const [index, bytes] of contents.entries()) {
    hash.update(`\0${paths[index]}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest("hex").slice(0, 32);
}

function filesBelow(folder: string) {
  const names = [...everything.scanSync({ cwd: join(root, folder), onlyFiles: true })];
  return names.map((name) => join(folder, name));
}
