import { join } from "node:path";

/** A finished site in a folder: `manifest.json`, and below `files/` what is served under its own name. */
export type Manifest = {
  /** Hash of all that went in; a folder with another one is stale. */
  input: string;
  /** Templates of the pages, by route. */
  pages: Record<string, string>;
  notFound: string;
  /** Template of a page that is unknown only below a route that the browser guards itself. */
  notFoundGuarded: string;
  redirects: Record<string, string>;
  /** Paths that search engines may list. */
  listed: string[];
  /** Hash of each file, by its path: a build that lost or damaged one is made anew. */
  hashes: Record<string, string>;
};

/** Reads a folder's manifest; undefined where there is none or it was made from other sources. */
export async function readManifest(dir: string, input: string): Promise<Manifest | undefined> {
  const file = Bun.file(join(dir, "manifest.json"));
  if (!(await file.exists())) return undefined;
  // What `writeSite` wrote, or else the input's hash does not match.
  const manifest: Manifest = await file.json();
  return manifest.input === input ? manifest : undefined;
}
