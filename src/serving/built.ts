import { randomUUID } from "node:crypto";
import { cp, mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Bundle, bundleForBrowser, bundleForServer } from "./bundle";
import { type Manifest, readManifest } from "./manifest";
import { root } from "./root";
import { fillShell } from "./shell";

/** Builds the whole site and puts it in place in one step, so that nobody ever reads half of one. */
export async function writeSite(dir: string, input: string): Promise<Manifest> {
  const draft = `${dir}.${randomUUID()}`;
  const files = join(draft, "files");
  await mkdir(files, { recursive: true });
  try {
    await cp(join(root, "public"), files, { recursive: true });
    const bundle = await bundleForBrowser(files);
    const manifest = await renderPages(bundle, draft, input);
    await Bun.write(join(draft, "manifest.json"), JSON.stringify(manifest));
    await rm(dir, { recursive: true, force: true });
    await rename(draft, dir);
    return manifest;
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    // Another process may have put the same build in place meanwhile.
    const theirs = await readManifest(dir, input);
    if (theirs) return theirs;
    throw error;
  }
}

async function renderPages(bundle: Bundle, draft: string, input: string): Promise<Manifest> {
  const server = await bundleForServer(join(draft, "server"));
  const html = await Bun.file(join(root, "src/web/index.html")).text();
  const shell = { script: bundle.script, styles: bundle.styles, chunks: bundle.chunksOf(undefined) };
  const pages: Record<string, string> = {};
  for (const [path, page] of Object.entries(server.pages)) {
    const markup = page.prerender ? await server.render(path) : "";
    pages[path] = fillShell(html, { ...shell, page, markup });
  }
  const page = server.notFoundPage;
  return {
    input,
    pages,
    notFound: fillShell(html, { ...shell, page, markup: await server.render("/page-that-does-not-exist") }),
    notFoundGuarded: fillShell(html, { ...shell, page, markup: "" }),
    redirects: { ...server.redirects },
  };
}
