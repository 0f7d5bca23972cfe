import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { brandFolder } from "@/brand/the-brand";
import { hour } from "@/contract/vocabulary/time";
import { Explained } from "@/core/log/log";
import { environmentHere, withSettings } from "@/core/settings/settings-here";
import { readFolder } from "./files";
import { inputHash } from "./input-hash";
import { type BuiltSite, readManifest } from "./manifest";
import { root } from "./root";

export type BuildOptions = {
  /** The folder that keeps builds between starts, and nothing else. */
  cacheDir: string;
  /** The brand of the pages, by default the shop's own. */
  brandDir?: string;
  /** Whether the last build is served while that of a changed brand is made. */
  servesLast?: boolean;
  log?: (line: string) => void;
};

/** A site to serve and, if it is the last brand's, what builds the present one's. */
type FoundSite = { built: BuiltSite; next: (() => Promise<BuiltSite>) | null };

/** Where `bun run build` puts a finished site. */
export const distDir = join(root, "dist");

/** The site from `dist/` or the cache if it was built from exactly this; otherwise the last brand's, or a new build. */
export async function findOrBuild({
  cacheDir,
  brandDir = brandFolder(),
  servesLast = false,
  log,
}: BuildOptions): Promise<FoundSite> {
  const input = await inputHash(brandDir);
  const dir = join(cacheDir, input);
  const found = (await readBuilt(distDir, input)) ?? (await readBuilt(dir, input));
  if (found) return { built: found, next: null };
  const started = performance.now();
  await mkdir(cacheDir, { recursive: true });
  const last = servesLast ? await lastBuilt(cacheDir, input) : undefined;
  if (last) return { built: last, next: () => buildApart({ cacheDir, input, log }) };
  // import the bundler's packages only if there is something to build
  const { writeSite } = await import("./write-site");
  const built = await writeSite(dir, input, brandDir, (line) => log?.(line));
  // not before: where a build fails, the next start needs the last one
  await removeStale(cacheDir, input);
  log?.(`built the site in ${Math.round(performance.now() - started)} ms`);
  return { built, next: null };
}

/** The newest build of these sources with another brand. */
async function lastBuilt(cacheDir: string, input: string): Promise<BuiltSite | undefined> {
  const [sources = ""] = input.split("-");
  const names = (await readdir(cacheDir)).filter((name) => name.startsWith(`${sources}-`) && !isDraft(name));
  const ages = await Promise.all(
    names.map(async (name) => [await ageOf(join(cacheDir, name)), name] as const),
  );
  const [newest] = ages.toSorted(([one], [other]) => one - other);
  return newest && readBuilt(join(cacheDir, newest[1]), newest[1]);
}

/** Builds in a process of its own, so that requests are served meanwhile. */
async function buildApart({
  cacheDir,
  input,
  log,
}: Pick<BuildOptions, "cacheDir" | "log"> & { input: string }) {
  const command = [process.execPath, join(import.meta.dir, "build.ts"), cacheDir];
  const env = withSettings(environmentHere(), "NODE_ENV", "DATA_DIR", "BRAND");
  const child = Bun.spawn(command, { cwd: root, env, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  for (const line of out.split("\n").filter(Boolean)) log?.(line);
  if (code !== 0) throw new Explained(err.trim() || `the build ended with ${code}`);
  const built = await readBuilt(join(cacheDir, input), input);
  if (!built) throw new Explained("the brand changed meanwhile: restart the shop");
  return built;
}

async function readBuilt(dir: string, input: string): Promise<BuiltSite | undefined> {
  const manifest = await readManifest(dir, input);
  const files = manifest && (await readFolder(join(dir, "files"), manifest.hashes));
  return files && { manifest, files };
}

/** Removes all other builds; a recent draft may belong to another process. */
async function removeStale(cacheDir: string, kept: string) {
  for (const name of await readdir(cacheDir)) {
    const path = join(cacheDir, name);
    if (name === kept || (isDraft(name) && (await ageOf(path)) < hour)) continue;
    await rm(path, { recursive: true, force: true });
  }
}

function isDraft(name: string) {
  return name.includes(".");
}

async function ageOf(path: string) {
  // what is gone meanwhile must not be taken for the newest
  const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: 0 }));
  return Date.now() - mtimeMs;
}
