import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { Refusal } from "@/core/refusal";
import { platformOf } from "@/domain/releases/platform-of";
import type { NewBuild } from "@/domain/releases/publish";

/** Files that electron-builder and this command line create next to builds. */
const beside = /(\.sig|\.blockmap|\.yml|\.yaml|\.md|\.txt)$|^\./i;

/** The builds in a folder, with the signatures next to them. Refuses files of an unknown kind. */
export async function buildsIn(folder: string): Promise<(NewBuild & { path: string })[]> {
  const entries = await readdir(resolve(folder), { withFileTypes: true }).catch(() => {
    throw new Refusal("release_invalid", { sentence: `${folder} is not a readable folder` });
  });
  const names = entries.filter((entry) => entry.isFile() && !beside.test(entry.name)).map(({ name }) => name);
  return Promise.all(names.toSorted().map((name) => buildAt(resolve(folder), name)));
}

async function buildAt(folder: string, name: string) {
  const platform = platformOf(name);
  if (!platform) {
    throw new Refusal("release_invalid", { sentence: `${name} is not a known kind of build` });
  }
  const path = join(folder, name);
  const signed = Bun.file(`${path}.sig`);
  const signature = (await signed.exists()) ? Buffer.from(await signed.bytes()) : undefined;
  return { platform, name, path, file: Bun.file(path), ...(signature ? { signature } : {}) };
}
