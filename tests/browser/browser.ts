import axe from "axe-core";
import { type Browser, type BrowserContext, chromium, type Page, type Request } from "playwright-core";
import { minute, second } from "@/contract/vocabulary/time";
import { chromiumFlags, findChromium } from "../support/checks/chromium";
import type { Person } from "../support/people/person";

/** Without a graphics card, the landing page's endless animations take most of Chromium's time. */
export const still = { reducedMotion: "reduce" } as const;

let launched: Promise<Browser> | undefined;

/** One Chromium for all files of a run, closed when the run ends. */
export const openBrowser = (): Promise<Browser> => (launched ??= launch());

async function launch(): Promise<Browser> {
  const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumFlags });
  // a page of a busy machine may need longer than Playwright's half a minute
  browser.on("context", (context) => context.setDefaultTimeout(2 * minute));
  return browser;
}

/** Signs a browser in as somebody who is signed in elsewhere. */
export const signIn = (context: BrowserContext, { cookies }: Person, shop: URL) =>
  context.addCookies([...cookies].map(([name, value]) => ({ name, value, url: shop.href })));

/** Opens an address, and waits until its page is whole. Resolves to the answer. */
export async function goTo(page: Page, url: string) {
  const answer = await page.goto(url);
  await untilWhole(page);
  return answer;
}

/** The calls on their way of a page whose shifts are watched. */
const calls = new WeakMap<Page, Set<Request>>();

/** Waits until a page of ours has its heading, shows no skeleton, and has what it asked for while its shifts are watched. */
export async function untilWhole(page: Page): Promise<void> {
  const open = calls.get(page);
  do {
    await page.waitForFunction(() => {
      if (!document.querySelector("#root")) return true;
      const waiting = "#root [data-slot=skeleton], #root .animate-spin, [data-early]";
      const waits = [...document.querySelectorAll(waiting)].some((one) => one.checkVisibility());
      return !waits && document.querySelector("h1") !== null;
    });
    if (open) await frames(page);
  } while (open && open.size > 0);
}

/** Two frames, after which what was answered is drawn and measured. */
export const frames = (page: Page) =>
  page.evaluate(async () => {
    for (let drawn = 0; drawn < 2; drawn++) await new Promise(requestAnimationFrame);
    await new Promise((resolve) => setTimeout(resolve));
  });

/** Waits until every animation that ends has ended; one that follows scrolling never does. */
export const waitForAnimations = (page: Page) =>
  page.waitForFunction(() =>
    document
      .getAnimations()
      .every(
        ({ playState, timeline, effect }) =>
          playState !== "running" ||
          timeline !== document.timeline ||
          effect?.getComputedTiming().endTime === Infinity,
      ),
  );

/** What axe finds on a page in both themes, as `rule: place`. */
export async function axeFindings(page: Page): Promise<string[]> {
  await page.locator("h1").first().waitFor({ state: "attached" });
  const own = await findingsNow(page);
  const drawn = await page.evaluate(() => document.documentElement.dataset["theme"]);
  const other = drawn === "light" ? "dark" : "light";
  await drawIn(page, other);
  const found = [
    ...own,
    ...(await findingsNow(page, rulesOfColour)).map((finding) => `${other}: ${finding}`),
  ];
  await drawIn(page, drawn ?? "dark");
  return found;
}

/** Draws a page in a theme without choosing it. */
const drawIn = (page: Page, theme: string) =>
  page.evaluate((name) => void (document.documentElement.dataset["theme"] = name), theme);

/** What a theme alone decides: https://dequeuniversity.com/rules/axe/. */
const rulesOfColour = ["color-contrast", "link-in-text-block"];

/** What axe finds on a page as it is drawn, as `rule: place`. `rules`: only these; otherwise all that are on by default. */
export async function findingsNow(page: Page, rules?: string[]): Promise<string[]> {
  await waitForAnimations(page);
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  return page.evaluate(async (only) => {
    const axe: unknown = Reflect.get(window, "axe");
    // the page's own copy, added a line above
    const { violations } = await (axe as typeof import("axe-core")).run({
      resultTypes: ["violations"],
      ...(only && { runOnly: only }),
    });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(" ")}`));
  }, rules);
}

/** What axe finds on a phone, and what is too wide there or on a computer. */
export async function findingsAtBothWidths(page: Page, what = page.url()): Promise<string[]> {
  const found: string[] = [];
  const size = page.viewportSize();
  for (const width of [1440, 360]) {
    await page.setViewportSize({ width, height: 900 });
    const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (over > 0) found.push(`${what} at ${width}: ${over} px too wide`);
  }
  found.push(...(await axeFindings(page)).map((finding) => `${what}: ${finding}`));
  if (size) await page.setViewportSize(size);
  return found;
}

/** A page of a desktop in a context of its own, and what fails in its code. */
export async function openPage(browser: Browser) {
  const context = await browser.newContext({ ...still, viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  const wrong: string[] = [];
  page.on("pageerror", (error) => void wrong.push(error.message));
  return { context, page, wrong };
}

/** The widths of a phone, a tablet and a computer. */
export const sizes = [
  { width: 360, height: 740 },
  { width: 768, height: 1024 },
  { width: 1440, height: 900 },
] as const;

/** At which widths a page is too wide; the window keeps the last. */
export async function tooWide(page: Page, widths: readonly (typeof sizes)[number][] = sizes.toReversed()) {
  const found: string[] = [];
  for (const size of widths) {
    await page.setViewportSize(size);
    // a chart hears of its new width only after a turn of layout
    const fits = page.waitForFunction(() => document.documentElement.scrollWidth <= innerWidth, null, {
      timeout: 10 * second,
    });
    await fits.catch(async () => {
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      found.push(`${over} px too wide at ${size.width}`);
    });
  }
  return found;
}

/** Keeps the sum of a page's layout shifts, and delays its calls, so that skeletons are seen. */
export async function watchShifts(page: Page) {
  const open = new Set<Request>();
  calls.set(page, open);
  page.on("request", (request) => void (request.url().includes("/api/") && open.add(request)));
  page.on("requestfinished", (request) => void open.delete(request));
  page.on("requestfailed", (request) => void open.delete(request));
  await page.addInitScript(addUpShifts);
  await page.route("**/api/**", async (route) => {
    await Bun.sleep(150);
    await route.continue();
  });
}

/** The sum of the layout shifts since the page was opened; at most 0.02 is good. */
export async function shiftOf(page: Page): Promise<number> {
  await frames(page);
  return page.evaluate(() => Number(document.documentElement.dataset.shift ?? 0));
}

/** Runs in the page: keeps the sum of all layout shifts in `data-shift`. */
export function addUpShifts() {
  let sum = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const value: unknown = Reflect.get(entry, "value");
      // what a visitor's own press moves is no shift
      if (typeof value === "number" && Reflect.get(entry, "hadRecentInput") !== true) sum += value;
    }
    document.documentElement.dataset.shift = String(sum);
  }).observe({ type: "layout-shift", buffered: true });
}

/** Types the password into the dialog that asks for it before a way into the account is added. */
export async function typePassword(page: Page, password: string): Promise<void> {
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Password", { exact: true }).fill(password);
  await dialog.getByRole("button", { name: "Continue" }).click();
}

/** Pays on the payment provider's page; for somebody whom the shop knows, the email is filled in. */
export async function payAtStripe(page: Page, email?: string, method: "card" | "bank" = "card") {
  await page.waitForURL("**/c/pay/**");
  if (email) await page.fill("#email", email);
  if (method === "bank") await page.check("input[value=bank]");
  if (method === "card") {
    await page.fill("#number", "4242 4242 4242 4242");
    await page.fill("#expiry", "12 / 40");
    await page.fill("#cvc", "123");
  }
  await page.fill("#name", "Somebody");
  await page.click("button.primary");
  await page.waitForURL("**/success**");
}
