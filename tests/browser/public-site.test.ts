import { afterAll, expect, test } from "bun:test";
import type { BrowserContextOptions, Page } from "playwright-core";
import { openSignedOutSite } from "../support/shop/signed-out-site";
import { byKeyboard } from "./by-keyboard";
import { axeFindings, openBrowser, still } from "./browser";
import { waitUntilHydrated } from "./hydrated";

const routes = ["/", "/privacy-policy", "/terms-of-service", "/refund-policy", "/commands", "/no-such-page"];
const widths = { phone: { width: 360, height: 740 }, desktop: { width: 1440, height: 900 } };

const browser = await openBrowser();
const site = await openSignedOutSite();
afterAll(() => site.close());

for (const path of routes) {
  test(`axe finds nothing on ${path} at either width, and nothing is cut off at 320 pixels or 200 percent`, async () => {
    const { page, close } = await open(path, { ...still, viewport: widths.phone });
    expect(await axeFindings(page)).toEqual([]);
    await page.setViewportSize({ width: 320, height: 256 });
    expect(await sidewaysOf(page)).toBe(0);
    await page.setViewportSize({ width: 640, height: 450 });
    expect(await sidewaysOf(page)).toBe(0);
    await page.setViewportSize(widths.desktop);
    expect(await axeFindings(page)).toEqual([]);
    await close();
  });
}

test("axe finds nothing on the open menu", async () => {
  const { page, close } = await open("/", { ...still, viewport: widths.phone });
  await page.getByRole("button", { name: "Menu" }).click();
  expect(await axeFindings(page)).toEqual([]);
  await close();
});

test("on a narrow screen Premium is sold at once, and downloads are one tap away", async () => {
  const { page, close } = await open("/", { viewport: { width: 320, height: 640 } });
  const download = page.locator(".get a[download]").first();
  expect(await page.getByRole("button", { name: "Purchase Premium" }).isVisible()).toBe(true);
  expect(await download.isVisible()).toBe(false);
  expect(await page.getByText("Revisit on a computer to download or purchase!").isVisible()).toBe(true);
  await page.getByText("Already on a computer?").click();
  expect(await download.isVisible()).toBe(true);
  await page.setViewportSize(widths.desktop);
  expect(await page.getByText("Revisit on a computer").isVisible()).toBe(false);
  await close();
});

test("a dialog opened by keyboard keeps the focus inside, and gives it back", async () => {
  // scrolls without animation, so that positions can be compared
  const { page, close } = await open("/", still);
  const link = page.getByRole("navigation", { name: "Footer" }).getByRole("link", { name: "Privacy Policy" });
  await link.focus();
  const place = await page.evaluate(() => scrollY);
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Privacy Policy" });
  await dialog.waitFor();
  const keys = byKeyboard(page);
  await keys.goRound(dialog, link);
  expect(keys.faults).toEqual([]);
  await page.waitForURL(site.url.href);
  expect(await link.evaluate((element) => element === document.activeElement)).toBe(true);
  expect(await page.evaluate(() => scrollY)).toBe(place);
  await close();
});

test("Back closes a dialog, Forward opens it again", async () => {
  const { page, close } = await open("/");
  await page
    .getByRole("navigation", { name: "Footer" })
    .getByRole("link", { name: "Refunds Policy" })
    .click();
  const dialog = page.getByRole("dialog", { name: "Refunds Policy" });
  await dialog.waitFor();
  await page.goBack();
  await dialog.waitFor({ state: "hidden" });
  await page.goForward();
  await dialog.waitFor();
  expect(await page.title()).toStartWith("Refunds Policy");
  await close();
});

test("a dialog opened by its URL closes onto the landing page, however it is closed", async () => {
  const { page, close } = await open("/tos", still);
  const ways = {
    close: () => page.getByRole("button", { name: "Close", exact: true }).click(),
    confirm: () => page.getByRole("button", { name: "Confirm" }).click(),
    escape: () => page.keyboard.press("Escape"),
    beside: () => page.mouse.click(5, 300),
  };
  for (const [name, leave] of Object.entries(ways)) {
    await page.goto(new URL("/tos", site.url).href, { waitUntil: "networkidle" });
    await waitUntilHydrated(page);
    await leave();
    await page.waitForURL(site.url.href);
    expect([name, await page.getByRole("dialog").count()]).toEqual([name, 0]);
  }
  await close();
});

test("a dialog closed before scripts run leads to the landing page once they do", async () => {
  const { page, close } = await open("/");
  const held = Promise.withResolvers<void>();
  await page.route("**/assets/start-*.js", async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto(new URL("/tos", site.url).href, { waitUntil: "commit" });
  await page.getByRole("button", { name: "Confirm" }).click();
  expect(await page.getByRole("dialog").count()).toBe(0);
  held.resolve();
  await page.waitForURL(site.url.href);
  expect(await page.getByRole("dialog").count()).toBe(0);
  await close();
});

test("the bar hides when scrolling down and returns when scrolling up or when it gets focus", async () => {
  const { page, close } = await open("/");
  const top = () =>
    page.locator(".navigation-bar").evaluate((bar) => Math.round(bar.getBoundingClientRect().bottom));
  const becomes = (right: string) =>
    page.waitForFunction((right) => {
      const bottom = document.querySelector(".navigation-bar")?.getBoundingClientRect().bottom ?? 0;
      return right === "hidden" ? bottom <= 1 : bottom >= 60;
    }, right);
  expect(await top()).toBe(72);
  await page.mouse.wheel(0, 600);
  await becomes("hidden");
  await page.mouse.wheel(0, -80);
  await becomes("seen");
  await page.mouse.wheel(0, 300);
  await becomes("hidden");
  await page.getByRole("link", { name: "Why Us" }).focus();
  await becomes("seen");
  await close();
});

test("the products can be reached and bought with the keyboard alone", async () => {
  const { page, close } = await open("/");
  const reach = async (name: string) => {
    for (let presses = 0; presses < 60; presses++) {
      await page.keyboard.press("Tab");
      if ((await page.evaluate(() => document.activeElement?.textContent)) === name) return true;
    }
    return false;
  };
  // controls that need scripts can't be reached before they run
  await page.getByRole("button", { name: "Purchase Premium", disabled: false }).waitFor();
  expect(await reach("Get Started")).toBe(true);
  await page.keyboard.press("Enter");
  expect(await reach("Purchase Premium")).toBe(true);
  await page.keyboard.press("Enter");
  await page.locator("#purchase-problem").waitFor();
  await close();
});

test("a link to a command scrolls to it, and a search shows others", async () => {
  const { page, close } = await open("/commands#play");
  const inView = await page.locator("#play").evaluate((line) => {
    const { top, bottom } = line.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  });
  expect(inView).toBe(true);
  await page.keyboard.press("/");
  await page.keyboard.type("purgelinks");
  await page.waitForFunction(() => document.querySelectorAll("main li").length === 1);
  await close();
});

test("without scripts everything can be read and the free products downloaded", async () => {
  const { page, close } = await open("/", { javaScriptEnabled: false });
  for (const heading of ["Features", "Why Us", "Gallery", "Get Wisp"])
    expect(await page.getByRole("heading", { level: 2, name: heading }).isVisible()).toBe(true);
  expect(await page.locator("[data-lit=waiting]").count()).toBe(0);
  expect(await page.getByRole("link", { name: "Download Free Selfbot" }).isVisible()).toBe(true);
  expect(await page.getByRole("link", { name: "Login" }).isVisible()).toBe(true);
  expect(await page.locator(".gallery-slide img").count()).toBe(5);
  await page.goto(new URL("/tos", site.url).href);
  expect(await page.getByText("A license is tied to the account that redeemed it.").isVisible()).toBe(true);
  await page.getByRole("button", { name: "Confirm" }).click();
  expect(await page.getByRole("dialog").count()).toBe(0);
  await page.goto(new URL("/commands", site.url).href);
  expect(await page.locator("main li").count()).toBeGreaterThan(250);
  await close();
});

/** A hydrated page; closing it asserts that it violated no policy and contacted no other host. */
async function open(path: string, options: BrowserContextOptions = {}) {
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
  await page.goto(new URL(path, site.url).href, { waitUntil: "networkidle" });
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
