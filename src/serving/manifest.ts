import { join } from "node:path";
import type { SiteFile } from "./files";

/** A finished site in a folder: `manifest.json`, and below `files/` what is served under its own name. */
export type Manifest = {
  /** Hash of everything the site was built from; another one means that the folder is stale. */
  input: string;
  /** HTML of the pages, by route; `originPlace` stands where PUBLIC_URL's origin belongs. */
  pages: Record<string, string>;
  /** The pages that differ where the shop sells several offers; a row stands for the further ones (`page-offers.ts`). */
  pagesOfSeveral: Record<string, string>;
  /** SHA-256 of the style sheet that drawn pages carry, base64, for the content policy. */
  styleHash: string;
  notFound: string;
  /** For unknown paths below the dashboard, which have no navigation bar. */
  notFoundGuarded: string;
  redirects: Record<string, string>;
  /** Paths that search engines may list. */
  listed: string[];
  /** Hash of each file, by its path below `files/`. */
  hashes: Record<string, string>;
};

/** A finished site in memory. */
export type BuiltSite = { manifest: Manifest; files: Map<string, SiteFile> };

/** Stands for PUBLIC_URL's origin, which a build made beforehand can't know. */
export const originPlace = "%origin-comes-here%";

/** Reads a folder's manifest; undefined where there is none or it was made from other sources. */
export async function readManifest(dir: string, input: string): Promise<Manifest | undefined> {
  const file = Bun.file(join(dir, "manifest.json"));
  if (!(await file.exists())) return undefined;
  // `writeSite` wrote it, or its input's hash does not match.
  const manifest: Manifest = await file.json();
  return manifest.input === input ? manifest : undefined;
}
