import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { buildName, isPassedOver, platformOf } from "@/contract/vocabulary/build-names";
import { Refusal } from "@/core/base/refusal";
import type { NewBuild } from "@/domain/releases/publish";

/** What this command line itself reads or writes next to builds, and hidden files. */
const ours = /\.(sig|md|txt)$|^\./i;

type FoundBuilds = { builds: (NewBuild & { path: string })[]; passedOver: string[] };

/** The builds in a folder, with the signatures next to them, and what else is there; folders end in a slash. */
export async function buildsIn(folder: string): Promise<FoundBuilds> {
  const entries = await readdir(resolve(folder), { withFileTypes: true }).catch(() => {
    throw new Refusal("release_invalid", { sentence: `${folder} is not a readable folder.` });
  });
  const found = entries
    .filter(({ name }) => !ours.test(name))
    .map((entry) => ({
      name: entry.name + (entry.isDirectory() ? "/" : ""),
      isBuild: entry.isFile() && !isPassedOver(entry.name),
    }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const names = found.filter(({ isBuild }) => isBuild).map(({ name }) => name);
  return {
    builds: await Promise.all(names.map((name) => buildAt(resolve(folder), name))),
    passedOver: found.filter(({ isBuild }) => !isBuild).map(({ name }) => name),
  };
}

async function buildAt(folder: string, file: string) {
  const platform = platformOf(file);
  if (!platform) {
    const sentence = `${file} is not a known kind of build: its name says neither win, mac nor linux.`;
    throw new Refusal("release_invalid", { sentence });
  }
  const path = join(folder, file);
  const signed = Bun.file(`${path}.sig`);
  const signature = (await signed.exists()) ? Buffer.from(await signed.bytes()) : undefined;
  return { platform, name: buildName(file), path, file: Bun.file(path), ...(signature ? { signature } : {}) };
}
