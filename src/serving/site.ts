import { join } from "node:path";
import { crawlerFiles } from "./crawlers";
import type { Effort } from "./encodings";
import { squeeze } from "./files";
import { findOrBuild, type Kept, type Place } from "./kept";
import type { Manifest } from "./manifest";
import { noncedPage } from "./nonced";
import { type Contents, type Pages, respond } from "./respond";
import { originPlace } from "./shell";

export type SiteOptions = Place & { publicUrl: URL };

/** Everything outside `/api`. */
export type Site = {
  /** Answers any method and path; never throws, never reads the disk. */
  respond(request: Request): Response;
  /** Resolves when the work in the background (smallest compression) is done or given up. */
  settled: Promise<void>;
};

/** Takes the site from `dist/` or the cache if it was made from these very sources, or builds it. */
export async function createSite(options: SiteOptions): Promise<Site> {
  const kept = await findOrBuild(options);
  const { origin, protocol } = options.publicUrl;
  const contents: Contents = {
    pages: await compressPages(kept.manifest, origin, "quick"),
    files: new Map([...kept.files, ...(await crawlerFiles(origin, kept.manifest.listed))]),
    redirects: new Map(Object.entries(kept.manifest.redirects)),
    https: protocol === "https:",
  };
  return { respond: (request) => respond(contents, request), settled: improve(contents, kept, options) };
}

/** Nobody waits for this: a failure (a full disk) leaves the larger versions in use. */
async function improve(contents: Contents, { dir, manifest, files }: Kept, options: SiteOptions) {
  try {
    await squeeze(join(dir, "files"), files);
    contents.pages = await compressPages(manifest, options.publicUrl.origin, "small");
  } catch (error) {
    options.log?.(`the site stays at quick compression: ${String(error)}`);
  }
}

async function compressPages(manifest: Manifest, origin: string, effort: Effort): Promise<Pages> {
  const make = (template: string) => noncedPage(template.replaceAll(originPlace, origin), effort);
  const entries = Object.entries(manifest.pages).map(
    async ([path, html]) => [path, await make(html)] as const,
  );
  return {
    known: new Map(await Promise.all(entries)),
    notFound: await make(manifest.notFound),
    notFoundGuarded: await make(manifest.notFoundGuarded),
  };
}
