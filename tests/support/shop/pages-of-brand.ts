import { join } from "node:path";
import { theBrand } from "@/brand/the-brand";
import { createSite } from "@/serving/site";
import { pages } from "@/web/pages";
import { root, runProcess } from "../operator/run-process";

export type Answered = { status: number; type: string; location: string | null; text: string };

/**
 * Every text that a shop with the brand in a folder serves, by its path. Built in a process of its own, because a brand
 * is read once: `refunds` becomes the refund policy's file after that.
 */
export async function pagesOfBrand(
  brandDir: string,
  cacheDir: string,
  { without = "", refunds = "" }: { without?: "discord" | ""; refunds?: string } = {},
): Promise<Record<string, Answered>> {
  const command = [process.execPath, import.meta.path, cacheDir, without, refunds];
  const { out, err, code } = await runProcess(command, { env: { ...process.env, BRAND: brandDir } });
  if (code !== 0) throw new Error(`no site was built with ${brandDir}: ${err}`);
  return JSON.parse(out) as Record<string, Answered>;
}

if (import.meta.main) {
  const [cacheDir = join(root, ".cache/site"), without, refunds] = process.argv.slice(2);
  const { folder } = theBrand();
  if (refunds) await Bun.write(join(folder, "refunds.md"), refunds);
  const publicUrl = new URL("http://shop.test");
  const site = await createSite({ publicUrl, cacheDir, without: without === "discord" ? [without] : [] });
  const found: Record<string, Answered> = {};
  const files = [
    "manifest.webmanifest",
    "favicon.svg",
    "sitemap.xml",
    "robots-note.txt",
    "drawing.svg",
    "discord",
    "support",
  ];
  const queue = [...Object.keys(pages), "/commands", "/no-such-page", ...files.map((name) => `/${name}`)];
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (found[path]) continue;
    const { status, headers, ...answer } = await read(path);
    const [type, location] = [headers.get("content-type") ?? "", headers.get("location")];
    const text = /text|javascript|json|xml|svg/.test(type) ? answer.text : "";
    found[path] = { status, type, location, text };
    const linked = [...text.matchAll(/["'`](?:\.\/|\/assets\/)([\w.-]+\.(?:js|css))["'`]/g)];
    queue.push(...linked.map(([, name = ""]) => `/assets/${name}`));
  }
  console.log(JSON.stringify(found));

  async function read(path: string) {
    const answer = site(new Request(`http://shop.test${path}`));
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  }
}
