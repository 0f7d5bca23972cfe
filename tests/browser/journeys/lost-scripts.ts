/** Pages of which one script is lost. */
import { afterAll, expect } from "bun:test";
import type { Page } from "playwright-core";
import { openSignedOutSite } from "../../support/shop/signed-out-site";
import { openBrowser, openPage, goTo } from "../browser";
import { waitUntilHydrated } from "../hydrated";

const browser = await openBrowser();
export const site = await openSignedOutSite();
afterAll(() => site.close());

const pathOf = (url: string) => new URL(url).pathname;
const common = (await undisturbed("/")).loaded;

/** A page stays readable, whichever one script is lost, and works once that script arrives. */
export async function loseEachScriptOf(path: string) {
  const { words, loaded } = await undisturbed(path);
  // Scripts that every page loads are tried on the first page only.
  const own = path === "/" ? loaded : loaded.filter((script) => !common.includes(script));
  expect(own.length).toBeGreaterThan(0);
  for (const lost of own) {
    const { context, page, wrong } = await openPage(browser);
    let blocked = true;
    await page.route(`**${lost}`, (route) =>
      blocked && route.request().resourceType() === "script" ? route.abort() : route.continue(),
    );
    const failed = page.waitForEvent("requestfailed", (request) => pathOf(request.url()) === lost);
    await page.goto(new URL(path, site.url).href);
    const notice = page.getByText("could not be loaded").or(page.getByText("has not arrived yet"));
    // The toasts' script comes a second later, and is only missed when there is a toast to show.
    if (!(await isToasts(lost))) await notice.first().waitFor();
    else await failed;
    const left = await wordsOf(page);
    expect([lost, words.filter((word) => !left.includes(word))]).toEqual([lost, []]);
    blocked = false;
    if (!(await isToasts(lost))) {
      await page.getByText("Retry").first().click();
      await waitUntilHydrated(page);
      await notice.first().waitFor({ state: "hidden" });
    }
    expect([lost, wrong]).toEqual([lost, []]);
    await context.close();
  }
}

/** The text of a page that loads normally, and its scripts. */
async function undisturbed(path: string) {
  const { context, page } = await openPage(browser);
  const loaded = new Set<string>();
  page.on("request", (request) => {
    const asked = pathOf(request.url());
    if (asked.endsWith(".js")) loaded.add(asked);
  });
  await goTo(page, new URL(path, site.url).href);
  await waitUntilHydrated(page);
  // the script that draws toasts comes a second later than the others
  await page.locator('section[aria-label^="Notifications"]').first().waitFor({ state: "attached" });
  const words = await wordsOf(page);
  await context.close();
  return { words, loaded: [...loaded] };
}

async function wordsOf(page: Page): Promise<string[]> {
  // until then, what is below the fold has no text that a script could read
  await page.waitForFunction(() => "painted" in document.documentElement.dataset);
  const text = await page.locator("#root").innerText();
  return [...new Set(text.split(/\s+/).filter((word) => /^\p{L}{3,}$/u.test(word)))];
}

/** Whether it is the script that draws toasts, or one that only that imports. */
async function isToasts(path: string): Promise<boolean> {
  const drawing = await toastsPath();
  const importers = (await texts()).filter(({ text }) => text.includes(`from"${path}"`));
  return path === drawing || (importers.length > 0 && importers.every((script) => script.path === drawing));
}

export const toastsPath = async () => scriptWith("data-sonner-toaster");

async function scriptWith(words: string): Promise<string> {
  const found = (await texts()).find(({ text }) => text.includes(words));
  if (!found) throw new Error(`no script of / has ${words}`);
  return found.path;
}

let read: Promise<{ path: string; text: string }[]> | undefined;
/** The scripts that every page loads. */
const texts = () =>
  (read ??= Promise.all(
    common.map(async (path) => ({ path, text: await (await fetch(new URL(path, site.url))).text() })),
  ));
