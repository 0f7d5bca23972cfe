import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { cp, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Page, siteName } from "../web/pages";
import { type Bundle, bundleForBrowser, bundleForServer } from "./bundle";
import { hashFiles } from "./files";
import { type Manifest, readManifest } from "./manifest";
import { root } from "./root";
import { fillShell, type Styles } from "./shell";

/**
 * Builds the whole site and puts it in place in one step, so that nobody ever reads half of one. Where
 * another process has put the same build there meanwhile, theirs stays and is returned.
 */
export async function writeSite(dir: string, input: string, brandDir?: string): Promise<Manifest> {
  const draft = `${dir}.${randomUUID()}`;
  const files = join(draft, "files");
  try {
    await cp(join(root, "public"), files, { recursive: true });
    const brandsOwn = join(brandDir ?? join(root, "src/brand"), "public");
    if (existsSync(brandsOwn)) await cp(brandsOwn, files, { recursive: true });
    const rendered = await renderPages(draft, brandDir);
    await rm(join(draft, "server"), { recursive: true });
    const manifest = { input, ...rendered, hashes: await hashFiles(files) };
    await Bun.write(join(draft, "manifest.json"), JSON.stringify(manifest));
    await rename(draft, dir);
    return manifest;
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    const theirs = await readManifest(dir, input);
    if (theirs) return theirs;
    throw error;
  }
}

async function renderPages(draft: string, brandDir: string | undefined) {
  const bundle = await bundleForBrowser(join(draft, "files"), brandDir);
  const server = await bundleForServer(join(draft, "server"), brandDir);
  const html = await Bun.file(join(root, "src/web/index.html")).text();
  await Bun.write(join(draft, "files/manifest.webmanifest"), webManifest(server.siteName));
  const icon = await dataUrl(join(draft, "files/favicon.svg"));
  const fill = async (page: Page, path: string | undefined) => {
    const markup = path === undefined ? "" : await server.render(path);
    const late = [page.module, page.forVisitors ? undefined : "queried.tsx"];
    const modules = ["start.tsx", ...late.filter((module) => module !== undefined)];
    const chunks = [...new Set(modules.flatMap((module) => bundle.chunksOf(module)))];
    const { script, first } = bundle;
    const styles = stylesOf(page, html, markup, bundle);
    return fillShell(html, { page, script, first, styles, chunks, markup, icon });
  };
  const pages: Record<string, string> = {};
  for (const [path, page] of Object.entries<Page>(server.pages)) {
    pages[path] = await fill(page, page.prerender ? path : undefined);
  }
  return {
    pages,
    notFound: await fill(server.notFoundPage, "/page-that-does-not-exist"),
    notFoundGuarded: await fill(server.notFoundPage, undefined),
    redirects: { ...server.redirects },
    listed: listedOf(Object.values(server.pages)),
  };
}

function stylesOf(page: Page, html: string, markup: string, bundle: Bundle): Styles {
  const { styles: whole, visitorsStyles } = bundle;
  if (markup === "") return { own: whole.fonts, sheet: whole.href };
  if (!page.forVisitors) return { own: whole.ownOf(html + markup), sheet: whole.href };
  return { own: visitorsStyles.ownOf(html + markup), sheet: visitorsStyles.href, further: whole.href };
}

async function dataUrl(svgPath: string) {
  const svg = await Bun.file(svgPath).text();
  return `data:image/svg+xml,${encodeURIComponent(svg.trim())}`;
}

function webManifest({ full, short }: typeof siteName) {
  return JSON.stringify({
    name: full,
    short_name: short,
    start_url: "/",
    display: "browser",
    background_color: "#0b0a12",
    theme_color: "#0b0a12",
    icons: [
      { src: "/icon-192.png", sizes: "192x192", type: "image/png" },
      { src: "/icon-512.png", sizes: "512x512", type: "image/png", purpose: "maskable any" },
    ],
  });
}

function listedOf(pages: Page[]) {
  return [...new Set(pages.filter((page) => page.index).map((page) => page.canonical))];
}
