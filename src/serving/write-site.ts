import { createHash, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { cp, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { colorsFrom, inHue } from "@/brand/drawn/colors";
import { drawIcons } from "@/brand/drawn/icons";
import { redrawn } from "@/brand/drawn/logo";
import { lookOf } from "@/brand/look";
import { publicFiles } from "@/brand/public";
import type { Brand } from "@/brand/read";
import { brandIn } from "@/brand/the-brand";
import { withPictures } from "@/brand/with-pictures";
import type { Page, siteName } from "../web/pages";
import { bundleForBrowser, bundleForServer } from "./bundle";
import { compressFolder, hashFolder, readFolder } from "./files";
import { type BuiltSite, type Manifest, readManifest } from "./manifest";
import { pageHtml } from "./page-html";
import { root } from "./root";

/**
 * Builds the whole site and renames it into place, so that no process ever reads half a build. Replaces a damaged
 * build, or an identical one from another process. `log` gets a sentence for whatever could not be drawn.
 */
export async function writeSite(
  dir: string,
  input: string,
  brandDir: string,
  log: (line: string) => void,
): Promise<BuiltSite> {
  const draft = `${dir}.${randomUUID()}`;
  try {
    const built = await buildInto(draft, input, brandDir, log);
    await rm(dir, { recursive: true, force: true });
    await rename(draft, dir).catch(async (error: unknown) => {
      if (!(await readManifest(dir, input))) throw error;
    });
    return built;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function buildInto(
  draft: string,
  input: string,
  brandDir: string,
  log: (line: string) => void,
): Promise<BuiltSite> {
  const folder = join(draft, "files");
  await cp(join(root, "public"), folder, { recursive: true });
  const brand = await withPictures(brandIn(brandDir), join(draft, "pictures"));
  for (const name of publicFiles(brandDir))
    await Bun.write(join(folder, name), await served(join(brandDir, "public", name)));
  const rendered = await renderPages(draft, brand);
  const { files: icons, leftOut } = await drawIcons(lookOf(brand));
  for (const [name, drawn] of icons)
    if (!existsSync(join(folder, name))) await Bun.write(join(folder, name), drawn);
  for (const sentence of leftOut) log(sentence);
  for (const name of ["server", "pictures"]) await rm(join(draft, name), { recursive: true, force: true });
  await compressFolder(folder);
  const hashes = await hashFolder(folder);
  const manifest: Manifest = { input, ...rendered, hashes };
  await Bun.write(join(draft, "manifest.json"), JSON.stringify(manifest));
  const files = await readFolder(folder, hashes);
  if (!files) throw new Error(`The site built in ${draft} can't be read`);
  return { manifest, files };
}

/** A drawing is served as it was read, so that it holds nothing else. */
const served = async (path: string) =>
  path.endsWith(".svg") ? redrawn(await Bun.file(path).text()) : Bun.file(path);

async function renderPages(draft: string, brand: Brand) {
  const bundle = await bundleForBrowser(join(draft, "files"), brand);
  const server = await bundleForServer(join(draft, "server"), brand);
  const colors = colorsFrom(brand.color);
  const html = inHue(await Bun.file(join(root, "src/web/index.html")).text(), colors);
  await Bun.write(join(draft, "files/manifest.webmanifest"), inHue(webManifest(server.siteName), colors));
  const draw = async (page: Page, path: string, several = false) =>
    pageHtml(html, page, bundle, await server.render(path, several));
  const pages: Record<string, string> = {};
  const pagesOfSeveral: Record<string, string> = {};
  for (const [path, page] of Object.entries<Page>(server.pages)) {
    const one = (pages[path] = await draw(page, path));
    const several = await draw(page, path, true);
    if (several !== one) pagesOfSeveral[path] = several;
  }
  return {
    pages,
    pagesOfSeveral,
    inlined: {
      style: sha256(bundle.styles),
      script: sha256(bundle.first),
      ofPage: Object.fromEntries(
        Object.entries<Page>(server.pages)
          .filter(([, page]) => page.showsStatus)
          .map(([path]) => [path, sha256(bundle.statusScript)]),
      ),
    },
    notFound: await draw(server.notFoundPage, "/page-that-does-not-exist"),
    notFoundGuarded: await draw(server.notFoundPage, "/dashboard/page-that-does-not-exist"),
    redirects: { ...server.redirects },
    redirectsWithoutDiscord: { ...server.redirectsWithoutDiscord },
    listed: listedOf(Object.values(server.pages)),
  };
}

const sha256 = (text: string) => createHash("sha256").update(text).digest("base64");

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
