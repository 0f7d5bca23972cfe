import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { pagePathOf } from "../web/pages";
import { type Manifest, readManifest } from "./manifest";
import { root } from "./root";
import { negotiate } from "./encodings";
import { readFiles, type SiteFile, squeeze } from "./files";
import { freshNonce, secureHeaders } from "./headers";
import { inputHash } from "./inputs";
import { type NoncedPage, noncedPage } from "./nonced";
import { originPlace } from "./shell";

export type SiteOptions = {
  publicUrl: URL;
  /** Where builds are kept between starts; a folder of the site's own. */
  cacheDir: string;
  log?: (line: string) => void;
};

/** Everything outside `/api`. */
export type Site = {
  respond(request: Request): Response;
  /** Settles when the work in the background (smallest compression) is done. */
  settled: Promise<void>;
};

/** Where `bun run build` puts a site made beforehand. */
export const readyMade = join(root, "dist");

/** Takes the site from `dist/` or the cache if it was made from these very sources, or builds it. */
export async function createSite(options: SiteOptions): Promise<Site> {
  const { dir, manifest } = await findOrBuild(options);
  const files = await readFiles(join(dir, "files"));
  const pages = await compressPages(manifest, options.publicUrl.origin, "quick");
  const state = {
    pages,
    files,
    redirects: manifest.redirects,
    https: options.publicUrl.protocol === "https:",
  };
  const settled = improve(state, dir, manifest, options);
  return { respond: (request) => respond(state, request), settled };
}

type State = {
  pages: Pages;
  files: Map<string, SiteFile>;
  redirects: Record<string, string>;
  https: boolean;
};

type Pages = { known: Map<string, NoncedPage>; notFound: NoncedPage; notFoundGuarded: NoncedPage };

async function findOrBuild({ cacheDir, log }: SiteOptions) {
  const input = await inputHash();
  for (const dir of [readyMade, join(cacheDir, input)]) {
    const manifest = await readManifest(dir, input);
    if (manifest) return { dir, manifest };
  }
  const started = performance.now();
  await mkdir(cacheDir, { recursive: true });
  await removeOthers(cacheDir, input);
  const dir = join(cacheDir, input);
  // The bundler's packages are loaded only where there is something to build.
  const { writeSite } = await import("./built");
  const manifest = await writeSite(dir, input);
  log?.(`built the site in ${Math.round(performance.now() - started)} ms`);
  return { dir, manifest };
}

/** Builds of other sources are of no use any more; drafts may belong to a process at work. */
async function removeOthers(cacheDir: string, input: string) {
  for (const name of await readdir(cacheDir)) {
    if (/^[0-9a-f]{32}$/.test(name) && name !== input)
      await rm(join(cacheDir, name), { recursive: true, force: true });
  }
}

async function compressPages(manifest: Manifest, origin: string, effort: "quick" | "small"): Promise<Pages> {
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

/** Nobody waits for this: a failure (a full disk) leaves the larger versions in use. */
async function improve(state: State, dir: string, manifest: Manifest, { publicUrl, log }: SiteOptions) {
  try {
    await squeeze(join(dir, "files"), state.files);
    state.pages = await compressPages(manifest, publicUrl.origin, "small");
  } catch (error) {
    log?.(`the site stays at quick compression: ${String(error)}`);
  }
}

function respond(state: State, request: Request): Response {
  const { pathname } = new URL(request.url);
  if (request.method !== "GET" && request.method !== "HEAD") {
    return text(state, 405, "Method not allowed", { allow: "GET, HEAD" });
  }
  const file = state.files.get(pathname);
  if (file) return fileResponse(state, request, file);
  const target = Object.hasOwn(state.redirects, pathname) ? state.redirects[pathname] : undefined;
  if (target !== undefined) return text(state, 302, "", { location: target, "cache-control": "no-cache" });
  if (pathname.startsWith("/assets/")) return text(state, 404, "Not found");
  return pageResponse(state, request, pathname);
}

function pageResponse({ pages, https }: State, request: Request, pathname: string) {
  const path = pagePathOf(pathname);
  const page = path === undefined ? unknownPage(pages, pathname) : (pages.known.get(path) ?? pages.notFound);
  const nonce = freshNonce();
  const encoding = negotiate(request.headers.get("accept-encoding"), (name) => page.has(name));
  const bytes = page.bytes(nonce, encoding);
  // No ETag: a 304 would bring a new nonce in the policy to an old page.
  return answer(request, path === undefined ? 404 : 200, bytes, {
    ...secureHeaders({ https, nonce }),
    "content-type": "text/html; charset=utf-8",
    "cache-control": "private, no-cache",
    vary: "Accept-Encoding",
    ...(encoding ? { "content-encoding": encoding } : {}),
  });
}

/** Below the dashboard the browser decides what an unknown path shows, so nothing is rendered before. */
function unknownPage(pages: Pages, pathname: string) {
  return pathname.startsWith("/dashboard/") ? pages.notFoundGuarded : pages.notFound;
}

function fileResponse({ https }: State, request: Request, file: SiteFile) {
  const encoding = negotiate(request.headers.get("accept-encoding"), (name) => file.encoded.has(name));
  const etag = `"${file.hash}${encoding ? `-${encoding}` : ""}"`;
  const headers = {
    ...secureHeaders({ https }),
    "cache-control": file.immutable ? "public, max-age=31536000, immutable" : "public, max-age=3600",
    vary: "Accept-Encoding",
    etag,
  };
  if (matches(request.headers.get("if-none-match"), etag))
    return new Response(null, { status: 304, headers });
  const bytes = (encoding && file.encoded.get(encoding)) ?? file.bytes;
  return answer(request, 200, bytes, {
    ...headers,
    "content-type": file.type,
    ...(encoding ? { "content-encoding": encoding } : {}),
  });
}

/** If-None-Match compares weakly (RFC 9110, 13.1.2). */
function matches(condition: string | null, etag: string) {
  if (condition === null) return false;
  return (
    condition.trim() === "*" || condition.split(",").some((part) => part.trim().replace(/^W\//, "") === etag)
  );
}

function answer(
  request: Request,
  status: number,
  bytes: Uint8Array<ArrayBuffer>,
  headers: Record<string, string>,
) {
  const withLength = { ...headers, "content-length": String(bytes.length) };
  return new Response(request.method === "HEAD" ? null : bytes, { status, headers: withLength });
}

function text({ https }: State, status: number, body: string, headers: Record<string, string> = {}) {
  return new Response(body, {
    status,
    headers: {
      ...secureHeaders({ https }),
      "content-type": "text/plain; charset=utf-8",
      "cache-control": "no-cache",
      ...headers,
    },
  });
}
