/**
 * `bun run pictures [brand folder]`: takes pictures of the application's screens, which are HTML in the brand's
 * `pictures/source`, and encodes them in every size and format that the site serves. Without a folder it also takes
 * the README's pictures of the shop. The results are committed.
 */
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { icons } from "lucide-react";
import { type Browser, chromium } from "playwright-core";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import sharp, { type AvifOptions, type OutputInfo, type Sharp } from "sharp";
import { chromiumFlags, findChromium } from "../support/checks/chromium";
import { readBrand } from "@/brand/read";
import { takeShop } from "./shop";

/** The smaller width for wide screens. */
const smallest = 960;

/**
 * For phones. The hero's is their largest paint: on a slow line (150 ms there and back, 1.6 Mbit/s) it comes within
 * one round trip beside the font and the first script if it takes no more than a third of it, headers included.
 */
const phone = 720;
const heroBytes = 9_200;

/** A window to take pictures in, and the widths to save; widths below the page's own are scaled down. */
const shots = [
  { window: { width: 1280, height: 760 }, widths: [1600, smallest], suffix: "" },
  { window: { width: 560, height: 640 }, widths: [phone], suffix: "phone-" },
];

const brandDir = resolve(process.argv[2] ?? join(import.meta.dir, "../../src/brand/sample"));
const source = join(brandDir, "pictures/source");
/** Always the site's own font, wherever the brand's folder is. */
const font = pathToFileURL(join(import.meta.dir, "../../public/fonts/geist-basic-5.3.0.woff2"));
const typeface = `<style>@font-face{font-family:Geist;font-weight:400 700;src:url("${font.href}")}</style>`;
const { logo, heroPicture } = readBrand(brandDir);
const hero = `${heroPicture}-phone-${phone}`;

const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumFlags });
const drafts = await mkdtemp(join(tmpdir(), "pictures-"));
try {
  for (const screen of await screens()) await take(browser, screen);
  if (!process.argv[2]) await takeShop(browser);
} finally {
  await browser.close();
  await rm(drafts, { recursive: true });
}

async function screens(): Promise<string[]> {
  const names = (await readdir(source)).filter((name) => name.endsWith(".html"));
  return names.map((name) => basename(name, ".html")).filter((name) => name !== "frame");
}

async function take(browser: Browser, screen: string): Promise<void> {
  for (const { window, widths, suffix } of shots) {
    const png = await photograph(browser, await filled(screen), window);
    for (const width of widths)
      await encode(png, join(brandDir, "pictures", `${screen}-${suffix}${width}`), width);
  }
}

/** Writes a page with its placeholders filled next to the sources' styles; resolves to where. */
async function filled(screen: string): Promise<string> {
  const read = (name: string) => Bun.file(join(source, `${name}.html`)).text();
  const svg = `<svg viewBox="${logo.viewBox}" fill="currentColor">${logo.body}</svg>`;
  const html = (await read("frame"))
    .replaceAll("{{screen}}", screen)
    .replace("{{content}}", await read(screen))
    .replaceAll("{{mark}}", svg)
    .replace("<head>", `<head><base href="${pathToFileURL(source).href}/">${typeface}`)
    .replaceAll(/\{\{icon:([a-z0-9-]+)\}\}/g, (_, name: string) => iconOf(name));
  const path = join(drafts, `${screen}.html`);
  await Bun.write(path, html);
  return path;
}

async function photograph(browser: Browser, path: string, viewport: Size, scale = 2): Promise<Buffer> {
  const page = await browser.newPage({ viewport, deviceScaleFactor: scale });
  await page.goto(pathToFileURL(path).href);
  const missing = await page.evaluate(async () => {
    const faces = [...(await document.fonts.ready)];
    return faces.filter(({ status }) => status === "error").map(({ family }) => family);
  });
  if (missing.length > 0) throw new Error(`A typeface did not load: ${missing.join(", ")}`);
  const png = await page.screenshot();
  await page.close();
  return png;
}

type Size = { width: number; height: number };

/** All current browsers support AVIF and nearly all others WebP; older ones get the small JPEG. */
async function encode(png: Buffer, path: string, width: number): Promise<void> {
  const picture = sharp(png).resize({ width });
  const made = await Promise.all([
    encodeAvif(picture, `${path}.avif`, width),
    picture.clone().webp({ quality: 82, effort: 6, smartSubsample: true }).toFile(`${path}.webp`),
    ...(width === smallest
      ? [picture.clone().jpeg({ quality: 80, mozjpeg: true }).toFile(`${path}.jpg`)]
      : []),
  ]);
  const sizes = made.map(({ format, size }) => `${format} ${(size / 1000).toFixed(1)} kB`).join(", ");
  console.log(`${basename(path)}: ${made[0].width}×${made[0].height}, ${sizes}`);
}

async function encodeAvif(picture: Sharp, path: string, width: number): Promise<OutputInfo> {
  const options: AvifOptions =
    width === phone
      ? { quality: 46, effort: 9, tune: "ssim" }
      : { quality: width === smallest ? 58 : 52, effort: 7 };
  let made = await picture.clone().avif(options).toFile(path);
  for (let quality = 44; basename(path) === hero && made.size > heroBytes; quality -= 2) {
    if (quality < 30) throw new Error(`${path} is too large for phones: show less in it`);
    made = await picture
      .clone()
      .avif({ ...options, quality })
      .toFile(path);
  }
  return made;
}

/** An icon from the set that the site uses, as SVG text, by its name on lucide.dev. */
function iconOf(name: string): string {
  const pascal = name.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
  const icon = (icons as Readonly<Record<string, (typeof icons)["House"] | undefined>>)[pascal];
  if (!icon) throw new Error(`There is no icon called ${name}`);
  return renderToStaticMarkup(createElement(icon, { strokeWidth: 1.75 }));
}
