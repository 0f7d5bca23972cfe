import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Browser, chromium, type Page } from "playwright-core";
import { type Page as SitePage, pages } from "@/web/pages";
import { findChromium } from "../chromium";
import { openSignedOutSite, type SignedOutSite } from "../signed-out-site";
import { comesAlive } from "./alive";

let browser: Browser;
let site: SignedOutSite;
beforeAll(async () => {
  site = await openSignedOutSite();
  browser = await chromium.launch({ executablePath: findChromium(), args: ["--no-sandbox"] });
});
afterAll(async () => {
  await browser.close();
  await site.close();
});

test("every public page comes alive without a complaint, a violation or another host", async () => {
  const watched = await open();
  for (const [path, { prerender }] of Object.entries(pages)) {
    if (!prerender) continue;
    await watched.page.goto(new URL(path, site.url).href, { waitUntil: "networkidle" });
    await comesAlive(watched.page);
  }
  expect(watched.complaints).toEqual([]);
  expect(watched.violations).toEqual([]);
  expect([...watched.hosts]).toEqual([site.url.host]);
  await watched.page.close();
});

test("a page is painted whole by its own styles: the sheet that comes later changes nothing", async () => {
  for (const width of [360, 1440]) {
    const context = await browser.newContext({ viewport: { width, height: 900 }, reducedMotion: "reduce" });
    const page = await context.newPage();
    // Nothing comes alive: all scripts but the first stay away.
    await page.route(/\/assets\/(?!first-)[^/]+\.js$/, (route) => route.abort());
    for (const path of new Set(Object.values<SitePage>(pages).map(drawnAt))) {
      if (path === undefined) continue;
      const { promise: looked, resolve: letCome } = Promise.withResolvers<void>();
      await page.route(/\.css$/, (route) => looked.then(() => route.continue()));
      const asked = page.waitForRequest(/\.css$/);
      await page.goto(new URL(path, site.url).href);
      await asked;
      const before = await lookOf(page);
      letCome();
      await page.waitForFunction(() => [...document.styleSheets].some(({ href }) => href !== null));
      expect([path, width, await lookOf(page)]).toEqual([path, width, before]);
      await page.unroute(/\.css$/);
    }
    await context.close();
  }
}, 60_000);

test("without scripts the whole sheet is there from the start", async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  for (const path of ["/", "/commands", "/login"]) {
    const sheet = page.waitForResponse(/\.css$/);
    await page.goto(new URL(path, site.url).href);
    expect((await sheet).status()).toBe(200);
  }
  await context.close();
});

test("the page's nonce lets a style in, and nothing else does", async () => {
  const { page, violations } = await open();
  await page.goto(site.url.href);
  const widths = await page.evaluate(() => {
    const nonce = document.querySelector("style")?.nonce;
    const insert = (css: string, allowed: boolean) => {
      const style = document.createElement("style");
      if (allowed && nonce) style.nonce = nonce;
      style.textContent = css;
      document.head.append(style);
    };
    insert("body { border-top: 7px solid }", true);
    insert("body { border-bottom: 7px solid }", false);
    const { borderTopWidth, borderBottomWidth } = getComputedStyle(document.body);
    return [borderTopWidth, borderBottomWidth];
  });
  expect(widths).toEqual(["7px", "0px"]);
  await page.waitForFunction(() => document.documentElement.dataset.violations === "1");
  expect(violations).toEqual(["style-src-elem"]);
  await page.close();
});

test("an unknown address shows that it is one, and leads home", async () => {
  const { page } = await open();
  const answer = await page.goto(new URL("/no-such-page", site.url).href, { waitUntil: "networkidle" });
  expect(answer?.status()).toBe(404);
  await page.getByText("Page does not exist").waitFor();
  await page.getByRole("link", { name: "Go Home" }).click();
  await page.waitForURL(site.url.href);
  await page.waitForFunction((title) => document.title === title, pages["/"].title);
  await page.close();
});

/** A page, what its console complained of, what its policy refused, and whom it asked. */
async function open() {
  const page = await browser.newPage();
  const complaints: string[] = [];
  const violations: string[] = [];
  const hosts = new Set<string>();
  page.on("console", (message) => {
    // Being signed out is an answer of 401, which Chromium writes down as an error.
    const expected = message.text().includes("status of 401");
    const loud = message.type() === "error" || message.type() === "warning";
    if (loud && !expected) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => hosts.add(new URL(request.url()).host));
  await page.exposeFunction("violated", (directive: string) => violations.push(directive));
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) => {
      const violated: unknown = Reflect.get(window, "violated");
      if (typeof violated !== "function") return;
      const told: unknown = violated(event.effectiveDirective);
      void Promise.resolve(told).then(() => (document.documentElement.dataset.violations = "1"));
    });
  });
  return { page, complaints, violations, hosts };
}

function drawnAt({ prerender, canonical }: SitePage) {
  return prerender ? canonical : undefined;
}

/** All that styles make of the page's elements, and of what they put before and after them: a digest. */
function lookOf(page: Page) {
  return page.evaluate(async () => {
    for (const image of document.images) image.loading = "eager";
    await Promise.all([...document.images].map((image) => image.decode()));
    await document.fonts.ready;
    const looks = [...document.body.querySelectorAll("*")].flatMap((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      const styles = ["", "::before", "::after"].map((part) => {
        const style = getComputedStyle(element, part);
        if (part && style.content === "none") return "";
        // Variables alone make no look, and what an automatic margin comes to shows in the box.
        const names = [...style].filter((name) => !/^(?:--|margin-)/.test(name));
        return names.map((name) => style.getPropertyValue(name)).join();
      });
      return [x, y, width, height, ...styles];
    });
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(looks.join("\n")));
    return new Uint8Array(digest).toHex();
  });
}
