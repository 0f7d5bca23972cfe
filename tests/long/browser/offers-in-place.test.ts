import { expect, test } from "bun:test";
import type { BrowserContext, Page } from "playwright-core";
import { sellMonth } from "../../support/shop/sell-month";
import { openShop } from "../../support/shop/shop-in-browser";
import { eventually, type Stage } from "../../support/shop/stage";
import { frames, openBrowser, signIn, still } from "../../browser/browser";
import { waitUntilHydrated } from "../../browser/hydrated";

const browser = await openBrowser();

for (const width of [360, 768, 1440]) {
  test(`at ${width} px the page is served with its offers, and Buy doesn't move when they are fetched again`, async () => {
    await using stage = await shopWithMonth();
    const { context, page } = await openAt(width);
    const held = Promise.withResolvers<void>();
    await page.route("**/api/offers", async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.goto(new URL("/#get", stage.url).href);
    const radio = page.getByRole("radio", { name: /One month/ });
    await radio.waitFor();
    await waitUntilHydrated(page);
    const buy = page.getByRole("button", { name: "Purchase Premium" });
    await buy.scrollIntoViewIfNeeded();
    await buy.focus();
    await page.evaluate(() => {
      Reflect.set(window, "buy", document.activeElement);
      Reflect.set(window, "shifts", []);
    });
    const place = await buy.boundingBox();
    const answered = page.waitForResponse("**/api/offers");
    held.resolve();
    await (await answered).finished();
    await frames(page);
    expect(await buy.boundingBox()).toEqual(place);
    expect(await page.evaluate(() => Reflect.get(window, "buy") === document.activeElement)).toBe(true);
    expect(await page.evaluate<number[]>(() => Reflect.get(window, "shifts"))).toEqual([]);
    await radio.check();
    expect(await buy.boundingBox()).toEqual(place);
    await context.close();
  });
}

test("nothing on the page shifts on a slow connection, from the first paint to the last response", async () => {
  await using stage = await shopWithMonth();
  const { context, page } = await openAt(1440);
  const line = await context.newCDPSession(page);
  // Without the font, whose arrival may move line breaks.
  await page.route("**/fonts/**", (route) => route.abort());
  // Slow 3G, as the browser's own tools have it.
  await line.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 400,
    downloadThroughput: 50_000,
    uploadThroughput: 50_000,
  });
  await page.goto(new URL("/#get", stage.url).href, { waitUntil: "commit" });
  await page.getByRole("radio", { name: /One month/ }).waitFor();
  await page.waitForLoadState("networkidle");
  await waitUntilHydrated(page);
  expect(await page.evaluate<number[]>(() => Reflect.get(window, "shifts"))).toEqual([]);
  await context.close();
});

test("the URL's code and the warning that a purchase adds nothing don't move the button", async () => {
  await using stage = await shopWithMonth();
  const { context, page } = await openAt(1440);
  const owner = stage.person();
  await owner.register(await stage.handOut(), "owner");
  await page.goto(stage.url.href);
  const buy = page.getByRole("button", { name: "Purchase Premium" });
  const offsetOf = () => buy.evaluate((button) => button.getBoundingClientRect().top + scrollY);
  await waitUntilHydrated(page);
  const before = await offsetOf();
  await signIn(context, owner, stage.url);
  await page.goto(new URL("/?code=LAUNCH", stage.url).href);
  await buy.scrollIntoViewIfNeeded();
  await page.getByText("LAUNCH", { exact: true }).waitFor();
  await page.getByText("would add nothing").waitFor();
  expect(await offsetOf()).toBe(before);
  await context.close();
});

test("a name of 80 letters without a space keeps its price and the button on the card, on a phone", async () => {
  await using stage = await shopWithMonth("W".repeat(80));
  const { context, page } = await openAt(360);
  await page.goto(new URL("/#get", stage.url).href);
  const row = page.locator("label", { hasText: "WWWW" });
  for (const part of [
    row.getByText("$2", { exact: true }),
    page.getByRole("button", { name: "Purchase Premium" }),
  ]) {
    const box = await part.boundingBox();
    expect(box && box.x + box.width).toBeLessThan(360);
  }
  await context.close();
});

async function shopWithMonth(name = "One month"): Promise<Stage> {
  const stage = await openShop();
  await sellMonth(stage, { name });
  stage.advance(2_000);
  await eventually(
    async () => (await fetch(stage.url)).text(),
    (html) => html.includes(name),
  );
  return stage;
}

/** A page that records its layout shifts. */
async function openAt(width: number): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext({ ...still, viewport: { width, height: 900 } });
  const page = await context.newPage();
  await page.addInitScript(() => {
    Reflect.set(window, "shifts", []);
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        if (!Reflect.get(entry, "hadRecentInput"))
          (Reflect.get(window, "shifts") as number[]).push(Reflect.get(entry, "value") as number);
    }).observe({ type: "layout-shift", buffered: true });
  });
  return { context, page };
}
