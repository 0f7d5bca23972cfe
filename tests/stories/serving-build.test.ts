import { afterAll, describe, expect, test } from "bun:test";
import { appendFile, cp, mkdtemp, readdir, rm, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import zlib from "node:zlib";
import { brand } from "@/brand/brand";
import { freshNonce } from "@/serving/headers";
import { noncedPage, noncePlace } from "@/serving/nonced";
import { createSite, type Site, type SiteOptions } from "@/serving/site";
import { withoutInsertion } from "@/serving/sonner";
import { compileStyles } from "@/serving/tailwind";

const root = join(import.meta.dir, "../..");
const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

describe("weight", () => {
  test("the public pages stay within their budgets", async () => {
    const { site } = await start({ cacheDir: join(root, ".cache/site") });
    await site.settled;
    const html = await textOf(site, "/");
    const first = linked(html, /(?:<script[^>]* src|<link rel="later" href)="([^"]+)"/g);
    const styles = linked(html, /<link rel="later-styles" href="([^"]+)"/g);
    const fonts = linked(html, /<link rel="preload" href="([^"]+)" as="font"/g);
    const hero = html.slice(html.indexOf("<picture"), html.indexOf("</picture>"));
    const pictures = linked(hero, /(\/assets\/[\w.-]+\.(?:avif|webp|jpg))/g);
    const late = (await scripts(site, first)).filter((path) => !first.includes(path));
    const figures = {
      "landing scripts": { kB: await kilobytes(site, first), limit: 84 },
      styles: { kB: await kilobytes(site, styles), limit: 12 },
      fonts: { kB: await kilobytes(site, fonts), limit: 50 },
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

  test("before the first paint a page asks for its font, picture and first script alone, in this order", async () => {
    const { site } = await start({ cacheDir: join(root, ".cache/site") });
    const whole = await textOf(site, "/");
    const html = whole.replaceAll(/<noscript>.*?<\/noscript>/g, "");
    const fetching = linked(
      html,
      /(<link rel="(?:stylesheet|preload|modulepreload|icon|manifest)"[^>]*>|<script[^>]*>)/g,
    );
    const kinds = fetching.map(
      (tag) => / as="(\w+)"/.exec(tag)?.[1] ?? /rel="(\w+)"/.exec(tag)?.[1] ?? "script",
    );
    expect(kinds).toEqual(["font", "image", "image", "icon", "script"]);
    expect(fetching[3]).toContain('href="data:image/svg+xml,');
    expect(fetching[4]).toContain(' src="');
    expect(html.match(/<img[^>]*fetchpriority="high"/gi)).toHaveLength(1);
    expect(whole).toMatch(/<noscript><link rel="stylesheet" href="[^"]+"><\/noscript>/);
    // a browser that finds a policy doesn't look ahead for what it could ask for early
    const policy = whole.indexOf('<meta http-equiv="Content-Security-Policy"');
    expect([policy > 0, policy < whole.indexOf("<link")]).toEqual([true, true]);
  });

  test("the head asks for the very files that the urgent picture will show", async () => {
    const { site } = await start({ cacheDir: join(root, ".cache/site") });
    const html = await textOf(site, "/");
    const links = linked(html, /(<link rel="preload" as="image"[^>]*>)/g).map((link) => ({
      media: attribute(link, "media"),
      files: attribute(link, "imagesrcset"),
      sizes: attribute(link, "imagesizes"),
    }));
    const hero = html.slice(html.indexOf("<picture"), html.indexOf("</picture>"));
    const sources = linked(hero, /(<source[^>]*type="image\/avif"[^>]*>)/g).map((source) => ({
      media: attribute(source, "media"),
      files: attribute(source, "srcset"),
      sizes: attribute(source, "sizes"),
    }));
    expect(links).toEqual(sources);
    expect(links.map(({ media }) => media)).toEqual(["(max-width: 639px)", "not all and (max-width: 639px)"]);
  });

  test("the page with its styles, the font and the phone's picture each fit into a connection's first window", async () => {
    const { site } = await start({ cacheDir: join(root, ".cache/site") });
    await site.settled;
    const html = await textOf(site, "/");
    const picture = linked(html, /<source media="[^"]*"[^>]* srcSet="([^" ]+\.avif)"/gi).slice(0, 1);
    expect(picture).toHaveLength(1);
    const font = linked(html, /<link rel="preload" href="([^"]+)" as="font"/g);
    for (const path of ["/", "/commands", "/login", ...font]) {
      const bytes = await onTheLine(site, path);
      expect([path, bytes, bytes <= firstWindow]).toEqual([path, bytes, true]);
    }
    // beside the font and the first script it has a third of what the line carries in one round trip
    for (const path of picture) {
      const bytes = await onTheLine(site, path);
      expect([path, bytes, bytes <= slowLine / 3]).toEqual([path, bytes, true]);
    }
  });

  test("the toasts' styles come once, late and with their code", async () => {
    const { site } = await start({ cacheDir: join(root, ".cache/site") });
    const html = await textOf(site, "/");
    const first = linked(html, /(?:<script[^>]* src|<link rel="later(?:-styles)?" href)="([^"]+)"/g);
    const times = async (path: string) =>
      (await textOf(site, path)).split("@keyframes sonner-fade-in").length - 1;
    for (const path of first) expect([path, await times(path)]).toEqual([path, 0]);
    const all = await Promise.all((await scripts(site, first)).map(times));
    expect(all.reduce((sum, count) => sum + count)).toBe(1);
  });

  test("a sonner that inserts its styles in another way stops the build", () => {
    expect(() => withoutInsertion("export const Toaster = 1;")).toThrow("sonner");
  });

  test("the stylesheet holds what Tailwind's newest version knows", async () => {
    const css = await compileStyles(join(root, "src/web/styles/app.css"));
    expect(css).toContain("tailwindcss v4.3.5");
    expect(css).toContain("#7f74e2");
  });
});

describe("builds", () => {
  test("the second start takes what the first one built", async () => {
    const cacheDir = await folder();
    const first = await start({ cacheDir });
    await first.site.settled;
    const second = await start({ cacheDir });
    await second.site.settled;
    console.log(`start: ${first.ms} ms with a build, ${second.ms} ms without`);
    expect(first.lines).toHaveLength(1);
    expect(second.lines).toEqual([]);
    expect(withoutNonce(await textOf(second.site, "/"))).toBe(withoutNonce(await textOf(first.site, "/")));
  });

  test.each([
    ["lost", (path: string) => unlink(path)],
    ["damaged", (path: string) => appendFile(path, " ")],
  ])("a build with a file that was %s is made anew", async (_, harm) => {
    const cacheDir = await folder();
    const first = await start({ cacheDir });
    await first.site.settled;
    const [build = ""] = await readdir(cacheDir);
    const script = linked(await textOf(first.site, "/"), /<script[^>]* src="([^"]+)"/g)[0] ?? "";
    await harm(join(cacheDir, build, "files", script));
    const second = await start({ cacheDir });
    await second.site.settled;
    expect(second.lines).toHaveLength(1);
    expect(await textOf(second.site, script)).toBe(await textOf(first.site, script));
  });

  test("two starts at once on one folder both serve", async () => {
    const cacheDir = await folder();
    const starts = await Promise.all([start({ cacheDir }), start({ cacheDir }), start({ cacheDir })]);
    await Promise.all(starts.map(({ site }) => site.settled));
    const pages = await Promise.all(starts.map(({ site }) => textOf(site, "/")));
    expect(new Set(pages.map(withoutNonce)).size).toBe(1);
    const left = await readdir(cacheDir);
    expect(left).toHaveLength(1);
  });

  test("the working directory does not matter", async () => {
    const cacheDir = await folder();
    const code = `const { createSite } = await import(${JSON.stringify(join(root, "src/serving/site.ts"))});
      const site = await createSite({ cacheDir: ${JSON.stringify(cacheDir)}, publicUrl: new URL("http://shop.test") });
      await site.settled;`;
    const child = Bun.spawn([process.execPath, "-e", code], { cwd: await folder(), stderr: "pipe" });
    expect([await new Response(child.stderr).text(), await child.exited]).toEqual(["", 0]);
    expect((await start({ cacheDir })).lines).toEqual([]);
  });

  test("another brand's folder makes another shop, without a change to the code", async () => {
    const brandDir = await folder();
    await cp(join(root, "src/brand"), brandDir, { recursive: true });
    const source = Bun.file(join(brandDir, "brand.ts"));
    await Bun.write(source, (await source.text()).replaceAll(brand.product, "Zephyr Desk"));
    const { site } = await start({ cacheDir: await folder(), brandDir });
    await site.settled;
    for (const path of ["/", "/login", "/manifest.webmanifest"]) {
      const text = await textOf(site, path);
      expect(text).toContain("Zephyr Desk");
      expect(text).not.toContain(brand.product);
    }
  });
});

describe("a page compressed once", () => {
  test("holds any nonce, wherever it stands and whatever stands around it", async () => {
    const seed = Date.now();
    const random = randomFrom(seed);
    for (let round = 0; round < 40; round += 1) {
      const template = `${prose(random)}<meta nonce="${noncePlace}">${prose(random)}`;
      const page = await noncedPage(template, round % 2 ? "quick" : "small");
      const nonce = freshNonce();
      const whole = template.replace(noncePlace, nonce);
      const br = zlib.brotliDecompressSync(page.bytes(nonce, "br")).toString();
      const gzip = zlib.gunzipSync(page.bytes(nonce, "gzip")).toString();
      const sound = page.has("br") && page.has("gzip") && br === whole && gzip === whole;
      expect({ seed, round, sound }).toEqual({ seed, round, sound: true });
    }
  });

  test("needs exactly one place for the nonce", () => {
    expect(noncedPage("no place", "quick")).rejects.toThrow("exactly one place");
    expect(noncedPage(`${noncePlace}two${noncePlace}`, "quick")).rejects.toThrow("exactly one place");
  });
});

async function start(options: Omit<SiteOptions, "publicUrl" | "log">) {
  const lines: string[] = [];
  const started = performance.now();
  const publicUrl = new URL("http://shop.test");
  const site = await createSite({ ...options, publicUrl, log: (line) => lines.push(line) });
  return { site, lines, ms: Math.round(performance.now() - started) };
}

async function folder() {
  const path = await mkdtemp(join(tmpdir(), "site-"));
  folders.push(path);
  return path;
}

function ask(site: Site, path: string, encoding = "identity") {
  const headers = { "accept-encoding": encoding };
  return site.respond(new Request(`http://shop.test${path}`, { headers }));
}

function textOf(site: Site, path: string) {
  return ask(site, path).text();
}

async function kilobytes(site: Site, paths: string[]) {
  const sizes = await Promise.all(paths.map(async (path) => (await ask(site, path, "br").bytes()).length));
  return Math.round(sizes.reduce((sum, size) => sum + size, 0) / 100) / 10;
}

/** Ten segments of 1,460 bytes (RFC 6928): what a new connection sends before anything is confirmed. */
const firstWindow = 14_600;

/** Bytes in 150 ms at 1.6 Mbit/s, as Lighthouse has its slow 4G. */
const slowLine = (0.15 * 1638 * 1024) / 8;

/** All bytes of an answer: its head, the date that is added to it, and its body in brotli. */
async function onTheLine(site: Site, path: string) {
  const answer = ask(site, path, "br");
  const date = ["date", new Date(0).toUTCString()] as const;
  const fields = [...answer.headers, date].map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 200 OK\r\n${fields.join("")}\r\n`.length + (await answer.bytes()).length;
}

function linked(html: string, pattern: RegExp) {
  return [...html.matchAll(pattern)].map(([, path = ""]) => path);
}

function attribute(tag: string, name: string) {
  return new RegExp(` ${name}="([^"]*)"`, "i").exec(tag)?.[1];
}

/** All scripts that can be reached from these by static or late imports. */
async function scripts(site: Site, entries: string[]) {
  const seen = new Set<string>();
  const queue = [...entries];
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    const names = linked(await textOf(site, path), /["'`](?:\.\/|\/assets\/)([\w.-]+\.js)["'`]/g);
    queue.push(...names.map((name) => `/assets/${name}`));
  }
  return [...seen];
}

function withoutNonce(html: string) {
  return html.replace(/nonce="[^"]+"/, "");
}

/** Milliseconds until the answer begins, the median of 4,000 requests over 200 connections. */
function randomFrom(seed: number) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Up to 60 kB of words that repeat, as markup does, some of them not in Latin letters. */
function prose(random: () => number) {
  const words = [
    "<p class=",
    "flex",
    "Käse",
    "漢字",
    "</p>",
    "nonce",
    '="',
    ">",
    "\n",
    "premium",
    "0123456789",
  ];
  const length = Math.floor(random() ** 3 * 12_000) + 3;
  return Array.from({ length }, () => words[Math.floor(random() * words.length)]).join(" ");
}
