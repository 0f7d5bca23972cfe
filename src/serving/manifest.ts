import { join } from "node:path";
import type { SiteFile } from "./files";

/** The hashes of the style sheet inside every page, of the script inside every page, and of those inside one page. */
export type Inlined = { style: string; script: string; ofPage: Record<string, string> };

/** A finished site in a folder: `manifest.json`, and below `files/` the files to serve under their own names. */
export type Manifest = {
  /** Hash of everything that went into the site; if it differs, the folder is stale. */
  input: string;
  /** HTML of the pages, by route, with `originPlaceholder` for PUBLIC_URL's origin. */
  pages: Record<string, string>;
  /**
   * The pages that differ if the shop sells several offers, with a sample row for a further offer (`page-offers.ts`).
   */
  pagesOfSeveral: Record<string, string>;
  /** SHA-256, in base64, of what pages carry themselves, for the content policy. */
  inlined: Inlined;
  notFound: string;
  /** For unknown paths below the dashboard; has no navigation bar. */
  notFoundGuarded: string;
  redirects: Record<string, string>;
  redirectsWithoutDiscord: Record<string, string>;
  /** Paths that search engines may list. */
  listed: string[];
  /** Hash of each file, by its path below `files/`. */
  hashes: Record<string, string>;
};

/** A finished site in memory. */
export type BuiltSite = { manifest: Manifest; files: Map<string, SiteFile> };

/** A placeholder for PUBLIC_URL's origin, which is unknown at build time. */
export const originPlaceholder = "%origin-comes-here%";

/** Reads a folder's manifest; undefined if there is none or it was built from other sources. */
export async function readManifest(dir: string, input: string): Promise<Manifest | undefined> {
  const file = Bun.file(join(dir, "manifest.json"));
  if (!(await file.exists())) return undefined;
  // `writeSite` wrote it, or the hash below does not match
  const manifest: Manifest = await file.json();
  return manifest.input === input ? manifest : undefined;
}
