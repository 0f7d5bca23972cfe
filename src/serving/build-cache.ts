import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { brandFolder } from "@/brand/the-brand";
import { hour } from "@/contract/vocabulary/time";
import { readFolder } from "./files";
import { inputHash } from "./input-hash";
import { type BuiltSite, readManifest } from "./manifest";
import { root } from "./root";

export type BuildOptions = {
  /** The folder that keeps builds between starts, and nothing else. */
  cacheDir: string;
  /** The brand of the pages, by default the shop's own. */
  brandDir?: string;
  log?: (line: string) => void;
};

/** Where `bun run build` puts a finished site. */
export const distDir = join(root, "dist");

/** The site from `dist/` or the cache if it was built from exactly these sources; otherwise a new build. */
export async function findOrBuild({
  cacheDir,
  brandDir = brandFolder(),
  log,
}: BuildOptions): Promise<BuiltSite> {
  const input = await inputHash(brandDir);
  const dir = join(cacheDir, input);
  const found = (await readBuilt(distDir, input)) ?? (await readBuilt(dir, input));
  if (found) return found;
  const started = performance.now();
  await mkdir(cacheDir, { recursive: true });
  await removeStale(cacheDir, input);
  // import the bundler's packages only if there is something to build
  const { writeSite } = await import("./write-site");
  const built = await writeSite(dir, input, brandDir, (line) => log?.(line));
  log?.(`built the site in ${Math.round(performance.now() - started)} ms`);
  return built;
}

async function readBuilt(dir: string, input: string): Promise<BuiltSite | undefined> {
  const manifest = await readManifest(dir, input);
  const files = manifest && (await readFolder(join(dir, "files"), manifest.hashes));
  return files && { manifest, files };
}

/** Removes builds of other sources; a recent draft may belong to another process. */
async function removeStale(cacheDir: string, input: string) {
  for (const name of await readdir(cacheDir)) {
    const path = join(cacheDir, name);
    if (name === input || (isDraft(name) && (await ageOf(path)) < hour)) continue;
    await rm(path, { recursive: true, force: true });
  }
}

function isDraft(name: string) {
  return name.includes(".");
}

async function ageOf(path: string) {
  // if it is gone meanwhile, there is nothing to remove
  const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
  return Date.now() - mtimeMs;
}
