import { afterAll, describe, expect, test } from "bun:test";
import { appendFile, cp, mkdtemp, readdir, rm, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compressFolder, hashFolder, readFolder } from "@/serving/files";
import { inputHash } from "@/serving/input-hash";
import { createSite, type Site, type SiteOptions } from "@/serving/site";
import { compileStyles } from "@/serving/tailwind";
import { patchScrollLock, patchSonner } from "@/serving/without-style-tags";
import { sharedSite } from "../../support/shop/shared-site";

const root = join(import.meta.dir, "../../..");
const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

describe("weight", () => {
  test("the public pages stay within their budgets", async () => {
    const { site } = await start({ cacheDir: sharedSite });
    const html = await textOf(site, "/");
    const first = linked(html, scriptsOfPage);
    const dashboard = linked(await textOf(site, "/dashboard"), scriptsOfPage);
    const desk = linked(await textOf(site, "/desk"), scriptsOfPage).filter(
      (path) => !dashboard.includes(path),
    );
    const fonts = linked(html, /<link rel="preload" href="([^"]+)" as="font"/g);
    const hero = html.slice(html.indexOf("<picture"), html.indexOf("</picture>"));
    const pictures = linked(hero, /(\/assets\/[\w.-]+\.(?:avif|webp|jpg))/g);
    // only staff load what the desk's script brings
    const late = (await scripts(site, first, desk)).filter((path) => !first.includes(path));
    const figures = {
      "landing scripts": { kB: await kilobytes(site, first), limit: 101.5 },
      "dashboard scripts": { kB: await kilobytes(site, dashboard), limit: 140.5 },
      "dashboard page, with its styles": { kB: await kilobytes(site, ["/dashboard/license"]), limit: 24 },
      "dashboard's home, with its script": { kB: await kilobytes(site, ["/dashboard"]), limit: 29 },
      fonts: { kB: await kilobytes(site, fonts), limit: 30 },
      "hero picture": {
        kB: Math.max(...(await Promise.all(pictures.map((path) => kilobytes(site, [path]))))),
        limit: 60,
      },
      "heaviest late chunk": {
        kB: Math.max(...(await Promise.all(late.map((path) => kilobytes(site, [path]))))),
        limit: 25,
      },
    };
    console.table(figures);
    for (const [name, { kB, limit }] of Object.entries(figures)) {
      expect([name, kB > 0, kB <= limit]).toEqual([name, true, true]);
    }
  });

  test("a page carries its styles, names its font and scripts once, and one picture is urgent", async () => {
    const { site } = await start({ cacheDir: sharedSite });
    for (const path of ["/dashboard", "/login"]) {
      const html = await textOf(site, path);
      const links = linked(
        html,
        /(<link rel="(?:stylesheet|preload|modulepreload)"[^>]*>|<script[^>]+src=[^>]*>)/g,
      );
      const kinds = links.map(
        (tag) => / as="(\w+)"/.exec(tag)?.[1] ?? /rel="(\w+)"/.exec(tag)?.[1] ?? "script",
      );
      expect([path, [...new Set(kinds)].toSorted()]).toEqual([path, ["font", "modulepreload", "script"]]);
      expect(new Set(links).size).toBe(links.length);
      expect(html.split("<style>")).toHaveLength(2);
    }
    expect((await textOf(site, "/")).match(/<img[^>]*fetchpriority="high"/gi)).toHaveLength(1);
  });

  test("a page of the dashboard asks at once for its frame too, and for no script before its font", async () => {
    const { site } = await start({ cacheDir: sharedSite });
    for (const path of ["/dashboard", "/dashboard/settings"]) {
      const html = await textOf(site, path);
      const tags = html.match(/<link rel="modulepreload"[^>]*>|<script type="module"[^>]*>/g) ?? [];
      expect([path, tags.filter((tag) => !tag.includes('fetchpriority="low"'))]).toEqual([path, []]);
      const chunks = linked(html, /<link rel="modulepreload" href="([^"]+)"/g);
      const texts = await Promise.all(chunks.map((chunk) => textOf(site, chunk)));
      expect([path, texts.some((text) => text.includes("Skip to content"))]).toEqual([path, true]);
    }
  });

  test("the dashboard's home is a few scripts, which pages outside the dashboard don't load", async () => {
    const { site } = await start({ cacheDir: sharedSite });
    const loaded = async (path: string) => linked(await textOf(site, path), scriptsOfPage);
    expect((await loaded("/dashboard")).length).toBeLessThanOrEqual(32);
    for (const path of [
      "/dashboard",
      "/",
      "/login",
      "/device",
      "/confirm-email",
      "/invitation",
      "/logout",
      "/desk",
    ]) {
      const texts = await Promise.all((await loaded(path)).map((script) => textOf(site, script)));
      expect([path, texts.some((text) => text.includes("Total Users"))]).toEqual([
        path,
        path === "/dashboard",
      ]);
    }
  });

  test("the toasts' styles load once, late, with their code", async () => {
    const { site } = await start({ cacheDir: sharedSite });
    const html = await textOf(site, "/");
    const first = linked(html, scriptsOfPage);
    const times = async (path: string) =>
      (await textOf(site, path)).split("@keyframes sonner-fade-in").length - 1;
    for (const path of first) expect([path, await times(path)]).toEqual([path, 0]);
    const all = await Promise.all((await scripts(site, first)).map(times));
    expect(all.reduce((sum, count) => sum + count)).toBe(1);
  });

  test("a package that inserts its styles some other way stops the build", () => {
    expect(() => patchSonner("export const Toaster = 1;")).toThrow("sonner");
    expect(() => patchScrollLock("export var stylesheetSingleton = 1;")).toThrow("react-style-singleton");
  });

  test("the stylesheet is compiled by the latest version of Tailwind", async () => {
    const css = await compileStyles(join(root, "src/web/styles/app.css"));
    expect(css).toContain("tailwindcss v4.3.5");
    expect(css).toContain("#7f74e2");
  });
});

describe("builds", () => {
  test("two starts at once on a damaged build, in whatever working directory, rebuild it, and a third uses it", async () => {
    const cacheDir = await folder();
    const built = await inputHash();
    const { site: sound } = await start({ cacheDir: sharedSite });
    await cp(join(sharedSite, built), join(cacheDir, built), { recursive: true });
    const script = linked(await textOf(sound, "/"), /<script[^>]* src="([^"]+)"/g)[0] ?? "";
    await appendFile(join(cacheDir, built, "files", script), " ");
    const code = `const { createSite } = await import(${JSON.stringify(join(root, "src/serving/site.ts"))});
      await createSite({ cacheDir: ${JSON.stringify(cacheDir)}, publicUrl: new URL("http://shop.test"), log: console.log });`;
    const elsewhere = Bun.spawn([process.execPath, "-e", code], {
      cwd: await folder(),
      stdout: "pipe",
      stderr: "pipe",
    });
    const { site, lines } = await start({ cacheDir });
    const outputs = await Promise.all([
      new Response(elsewhere.stdout).text(),
      new Response(elsewhere.stderr).text(),
    ]);
    expect([await elsewhere.exited, ...outputs]).toEqual([
      0,
      expect.stringMatching(/^(built the site in \d+ ms\n)?$/),
      "",
    ]);
    // whoever starts late on a busy machine finds it rebuilt
    expect(outputs[0].split("\n").length - 1 + lines.length).toBeOneOf([1, 2]);
    const { site: third, lines: nothing } = await start({ cacheDir });
    expect(nothing).toEqual([]);
    expect(await readdir(cacheDir)).toEqual([built]);
    // the names of scripts depend on the working directory
    const unnamed = (html: string) => html.replaceAll(/-[a-z0-9]{8}\.js/g, ".js");
    for (const one of [site, third]) {
      const html = await textOf(one, "/");
      expect(unnamed(html)).toBe(unnamed(await textOf(sound, "/")));
      const [start = ""] = linked(html, /<script[^>]* src="([^"]+)"/g);
      expect(await textOf(one, start)).toStartWith("//# allFunctionsCalledOnLoad");
      expect(await textOf(one, start)).not.toEndWith(" ");
    }
  });

  test.each([
    ["lost", "app.js", (path: string) => unlink(path)],
    ["damaged", "app.js", (path: string) => appendFile(path, " ")],
    ["damaged in its compressed version", "app.js.br", (path: string) => appendFile(path, " ")],
  ])("a build with a file that was %s is not read", async (_, name, harm) => {
    const dir = await folder();
    await Bun.write(join(dir, "app.js"), "console.log(1);\n".repeat(100));
    await compressFolder(dir);
    const hashes = await hashFolder(dir);
    expect((await readFolder(dir, hashes))?.get("/app.js")?.encoded.has("br")).toBe(true);
    await harm(join(dir, name));
    expect(await readFolder(dir, hashes)).toBeUndefined();
  });
});

async function start(options: Omit<SiteOptions, "publicUrl" | "log">) {
  const lines: string[] = [];
  const publicUrl = new URL("http://shop.test");
  const site = await createSite({ ...options, publicUrl, log: (line) => lines.push(line) });
  return { site, lines };
}

async function folder() {
  const path = await mkdtemp(join(tmpdir(), "site-"));
  folders.push(path);
  return path;
}

function ask(site: Site, path: string, encoding = "identity") {
  const headers = { "accept-encoding": encoding };
  return site(new Request(`http://shop.test${path}`, { headers }));
}

function textOf(site: Site, path: string) {
  return ask(site, path).text();
}

async function kilobytes(site: Site, paths: string[]) {
  const sizes = await Promise.all(paths.map(async (path) => (await ask(site, path, "br").bytes()).length));
  return Math.round(sizes.reduce((sum, size) => sum + size, 0) / 100) / 10;
}

/** What a page's HTML has the browser fetch of scripts. */
const scriptsOfPage = /(?:<script[^>]* src|<link rel="modulepreload" href)="([^"]+)"/g;

function linked(html: string, pattern: RegExp) {
  return [...html.matchAll(pattern)].map(([, path = ""]) => path);
}

/** All scripts that can be reached from these through static or dynamic imports, other than by way of `closed`. */
async function scripts(site: Site, entries: string[], closed: string[] = []) {
  const seen = new Set(closed);
  const queue = [...entries];
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    const names = linked(
      await textOf(site, path),
      /(?:from|import)\s*\(?["'`](?:\.\/|\/assets\/)([\w.-]+\.js)["'`]/g,
    );
    queue.push(...names.map((name) => `/assets/${name}`));
  }
  return [...seen].filter((path) => !closed.includes(path));
}
