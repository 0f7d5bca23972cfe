import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { readFiles, type SiteFile } from "./files";
import { inputHash } from "./inputs";
import { type Manifest, readManifest } from "./manifest";
import { root } from "./root";

/** A built site that is on the disk and in memory. */
export type Kept = { dir: string; manifest: Manifest; files: Map<string, SiteFile> };

export type Place = {
  /** Where builds are kept between starts; a folder of the site's own. */
  cacheDir: string;
  /** A folder to take in place of `src/brand`, for a shop that sells something else. */
  brandDir?: string;
  log?: (line: string) => void;
};

/** Where `bun run build` puts a site made beforehand. */
export const readyMade = join(root, "dist");

/** The site from `dist/` or the cache if it was made from these very sources; else a new build. */
export async function findOrBuild({ cacheDir, brandDir, log }: Place): Promise<Kept> {
  const input = await inputHash(brandDir);
  const dir = join(cacheDir, input);
  const ready = await readKept(readyMade, input);
  if (ready && isWhole(ready)) return ready;
  const cached = await readKept(dir, input);
  if (cached && isWhole(cached)) return cached;
  if (cached) await rm(dir, { recursive: true, force: true });
  const started = performance.now();
  await mkdir(cacheDir, { recursive: true });
  await removeOthers(cacheDir, input);
  // The bundler's packages are loaded only where there is something to build.
  const { writeSite } = await import("./built");
  const manifest = await writeSite(dir, input, brandDir);
  log?.(`built the site in ${Math.round(performance.now() - started)} ms`);
  return { dir, manifest, files: await readFiles(join(dir, "files")) };
}

async function readKept(dir: string, input: string): Promise<Kept | undefined> {
  const manifest = await readManifest(dir, input);
  return manifest && { dir, manifest, files: await readFiles(join(dir, "files")) };
}

/** Whether no file got lost or damaged since the build. */
function isWhole({ manifest, files }: Kept) {
  return Object.entries(manifest.hashes).every(([path, hash]) => files.get(path)?.hash === hash);
}

/** Builds of other sources are of no use any more; a young draft may belong to a process at work. */
async function removeOthers(cacheDir: string, input: string) {
  for (const name of await readdir(cacheDir)) {
    const path = join(cacheDir, name);
    if (name === input || (isDraft(name) && (await ageOf(path)) < 3_600_000)) continue;
    await rm(path, { recursive: true, force: true });
  }
}

function isDraft(name: string) {
  return name.includes(".");
}

async function ageOf(path: string) {
  // One that is gone meanwhile counts as young: nothing is left to remove.
  const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
  return Date.now() - mtimeMs;
}
