import { expect } from "bun:test";
import type { BrowserContextOptions } from "playwright-core";
import type { Person } from "../support/people/person";
import { axeFindings, goTo, openBrowser, shiftOf, signIn, sizes, still, watchShifts } from "./browser";

type Options = BrowserContextOptions & {
  /** Who is signed in. */
  person?: Person;
  /** Has every call take a moment, so that skeletons are seen, and counts what moves. */
  slowly?: boolean;
};

/** A page of a shop, at a computer unless `viewport` says otherwise. */
export async function visit(shop: URL, { person, slowly, ...options }: Options = {}) {
  const browser = await openBrowser();
  const context = await browser.newContext({ ...still, viewport: sizes[2], ...options });
  if (person) await signIn(context, person, shop);
  const page = await context.newPage();
  if (slowly) await watchShifts(page);
  const wrong: string[] = [];
  page.on("pageerror", (error) => void wrong.push(error.message));
  page.on("console", (message) => {
    if (/content security policy/i.test(message.text())) wrong.push(message.text());
  });
  return {
    page,
    context,
    wrong,
    to: (path: string) => goTo(page, new URL(path, shop).href),
    /** Nothing failed, is too wide, or moved by itself; on a phone, where a page has most of its parts, axe finds nothing. */
    judge: async (what: string, { axe = page.viewportSize()?.width === 360 } = {}) => {
      const shift = slowly ? await shiftOf(page) : 0;
      const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      const found = axe ? await axeFindings(page) : [];
      expect([what, found, shift <= 0.02 || shift, sideways, wrong]).toEqual([what, [], true, 0, []]);
    },
    /** Fails if anything failed in the page, or was refused by its policy. */
    close: async () => {
      await context.close();
      expect(wrong).toEqual([]);
    },
  };
}
