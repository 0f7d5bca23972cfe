/** The public pages, to somebody who isn't signed in. */
import { afterAll, expect } from "bun:test";
import type { BrowserContextOptions, Page } from "playwright-core";
import { openSignedOutSite } from "../../support/shop/signed-out-site";
import { axeFindings, openBrowser, still } from "../browser";
import { waitUntilHydrated } from "../hydrated";

export const widths = { phone: { width: 360, height: 740 }, desktop: { width: 1440, height: 900 } };

const browser = await openBrowser();
export const site = await openSignedOutSite();
afterAll(() => site.close());

/** Axe finds nothing on a phone, and nothing is cut off at 320 pixels, at 200 percent and at a computer. */
export async function fits(path: string) {
  const { page, close } = await open(path, { ...still, viewport: widths.phone });
  expect(await axeFindings(page)).toEqual([]);
  for (const size of [{ width: 320, height: 256 }, { width: 640, height: 450 }, widths.desktop]) {
    await page.setViewportSize(size);
    expect([size, await sidewaysOf(page)]).toEqual([size, 0]);
  }
  await close();
}

/** A hydrated page; closing it asserts that it violated no policy and contacted no other host. */
export async function open(path: string, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ viewport: widths.desktop, ...options });
  const page = await context.newPage();
  const strangers: string[] = [];
  const refused: string[] = [];
  page.on("request", (request) => {
    const { host, protocol } = new URL(request.url());
    if (protocol !== "data:" && host !== site.url.host) strangers.push(host);
  });
  page.on("console", (message) => {
    if (/Content.Security.Policy/i.test(message.text())) refused.push(message.text());
  });
  page.on("pageerror", (error) => refused.push(String(error)));
  await page.goto(new URL(path, site.url).href);
  if (options.javaScriptEnabled !== false) await waitUntilHydrated(page);
  const close = async () => {
    await context.close();
    expect({ strangers, refused }).toEqual({ strangers: [], refused: [] });
  };
  return { page, close };
}

/** How many pixels the page can be scrolled sideways. */
function sidewaysOf(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}
