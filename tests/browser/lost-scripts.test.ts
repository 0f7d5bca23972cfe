import { afterAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { openSignedOutSite } from "../support/shop/signed-out-site";
import { openBrowser, openPage } from "./browser";
import { waitUntilHydrated } from "./hydrated";

const browser = await openBrowser();
const site = await openSignedOutSite();
afterAll(() => site.close());

const pathOf = (url: string) => new URL(url).pathname;
const common = (await undisturbed("/")).loaded;

for (const path of ["/", "/login", "/commands", "/tos"]) {
  test(`${path} stays readable, whichever one script is lost, and works once that script arrives`, async () => {
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
      await page.goto(new URL(path, site.url).href);
      const notice = page.getByText("could not be loaded").or(page.getByText("has not arrived yet"));
      // The toasts' script comes a second later, and is only missed when there is a toast to show.
      if (!(await isToasts(lost))) await notice.first().waitFor();
      else await page.waitForTimeout(1_500);
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
  });
}

test("a message is still shown when the script that draws toasts is lost", async () => {
  const { context, page } = await openPage(browser);
  const toasts = await toastsPath();
  await page.route(`**${toasts}`, (route) => route.abort());
  await page.route("**/api/user/password/forgot?**", (route) =>
    route.fulfill({ status: 429, json: { status: 429, data: "Too many requests", code: "rate_limited" } }),
  );
  await page.goto(new URL("/forgot-pass", site.url).href, { waitUntil: "networkidle" });
  await page.getByRole("textbox", { name: "Email" }).fill("ada@example.com");
  await page.getByRole("button", { name: "Send Email" }).click();
  await page.getByRole("alert").getByText("Too many requests").waitFor();
  await context.close();
});

/** The text of a page that loads normally, and its scripts. */
async function undisturbed(path: string) {
  const { context, page } = await openPage(browser);
  const loaded = new Set<string>();
  page.on("request", (request) => {
    const asked = pathOf(request.url());
    if (asked.endsWith(".js")) loaded.add(asked);
  });
  await page.goto(new URL(path, site.url).href, { waitUntil: "networkidle" });
  await waitUntilHydrated(page);
  await page.waitForTimeout(1_200);
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

const toastsPath = async () => scriptWith("data-sonner-toaster");

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
