/**
 * `bun run lighthouse [paths…]`: measures the public pages as Lighthouse's mobile preset does (slow 4G, a CPU slowed
 * four times) and prints a table. Lighthouse is fetched when this runs: it is too large to be everyone's dependency.
 *
 * Lighthouse computes its paints from a fast visit; they are printed, not checked. "painted s" is the largest paint that
 * Chromium itself reports with its line slowed down; it is checked, as are the scores.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { chromiumFlags, findChromium } from "../support/checks/chromium";
import { openSignedOutSite } from "../support/shop/signed-out-site";
import { largestPaint } from "./painted";

const version = "13.5.0";
const visits = 5;
const paths = process.argv.length > 2 ? process.argv.slice(2) : ["/", "/commands", "/login"];

const folder = await mkdtemp(join(tmpdir(), "lighthouse-"));
const site = await openSignedOutSite();
const browser = await chromium.launch({
  executablePath: findChromium({ asVisitors: true }),
  args: chromiumFlags,
});
try {
  const rows: Row[] = [];
  for (const path of paths) rows.push(await measure(path));
  console.table(Object.fromEntries(rows.map(({ path, ...figures }) => [path, figures])));
  const missed = rows.filter((row) => !isGoodEnough(row));
  for (const { path } of missed) console.log(`${path} misses its aim`);
  process.exitCode = missed.length > 0 ? 1 : 0;
} finally {
  await browser.close();
  await site.close();
  await rm(folder, { recursive: true, force: true });
}

type Row = Awaited<ReturnType<typeof measure>>;

function isGoodEnough(row: Row): boolean {
  const full = row.accessibility === 100 && row["best practices"] === 100 && row.SEO === 100;
  return full && row.performance >= 98 && row["painted s"] <= 1 && row.CLS <= 0.02;
}

/** The parts of Lighthouse's report that are used here. */
type Report = {
  categories: Record<string, { score: number | null }>;
  audits: Record<string, { score: number | null; numericValue?: number; title: string }>;
};

async function measure(path: string) {
  const { categories, audits } = await report(new URL(path, site.url).href);
  const score = (name: string) => Math.round((categories[name]?.score ?? 0) * 100);
  const value = (name: string) => audits[name]?.numericValue ?? Number.NaN;
  for (const name of ["accessibility", "best-practices", "seo"]) if (score(name) < 100) explain(path, audits);
  return {
    path,
    performance: score("performance"),
    accessibility: score("accessibility"),
    "best practices": score("best-practices"),
    SEO: score("seo"),
    "FCP s": seconds(value("first-contentful-paint")),
    "LCP s": seconds(value("largest-contentful-paint")),
    "painted s": await largestPaint(browser, new URL(path, site.url).href),
    "TBT ms": Math.round(value("total-blocking-time")),
    CLS: Math.round(value("cumulative-layout-shift") * 1000) / 1000,
  };
}

function explain(path: string, audits: Report["audits"]): void {
  const failed = Object.values(audits).filter(({ score }) => score === 0);
  console.log(`${path}: ${failed.map(({ title }) => title).join("; ")}`);
}

/**
 * The report with the median score of several visits, as Lighthouse advises, because scores vary from visit to visit:
 * https://github.com/GoogleChrome/lighthouse/blob/main/docs/variability.md
 */
async function report(url: string): Promise<Report> {
  const reports: Report[] = [];
  for (let visit = 0; visit < visits; visit += 1) reports.push(await reportOnce(url));
  const scoreOf = ({ categories }: Report) => categories.performance?.score ?? 0;
  const [median] = reports.toSorted((a, b) => scoreOf(a) - scoreOf(b)).slice(Math.floor(visits / 2));
  return median ?? fail(`Lighthouse could not measure ${url}`);
}

/** Tries twice at most: on a busy machine Chromium may not be up in time. */
async function reportOnce(url: string): Promise<Report> {
  return (await tryReport(url)) ?? (await tryReport(url)) ?? fail(`Lighthouse could not measure ${url}`);
}

function fail(reason: string): never {
  throw new Error(reason);
}

async function tryReport(url: string): Promise<Report | undefined> {
  const file = join(folder, "report.json");
  const child = Bun.spawn(
    [
      process.execPath,
      "x",
      "--bun",
      `lighthouse@${version}`,
      url,
      "--quiet",
      "--output=json",
      `--output-path=${file}`,
      `--chrome-flags=--headless ${chromiumFlags.join(" ")} --user-data-dir=${join(folder, "profile")}`,
    ],
    {
      env: { ...process.env, CHROME_PATH: findChromium({ asVisitors: true }) },
      stdin: "ignore",
      stdout: "ignore",
      stderr: "inherit",
    },
  );
  if ((await child.exited) !== 0) return undefined;
  // Lighthouse's own file; the type lists what is read from it.
  return (await Bun.file(file).json()) as Report;
}

function seconds(milliseconds: number): number {
  return Math.round(milliseconds / 10) / 100;
}
