import { expect, test } from "bun:test";
import { openShop } from "../../support/shop/shop-in-browser";
import { openBrowser, sizes } from "../../browser/browser";
import { homeBeforeScripts } from "../../browser/journeys/early-status";

const browser = await openBrowser();

for (const viewport of [sizes[0], sizes[1]])
  test(`while scripts are on their way, Home says where the customer stands, at ${viewport.width} px`, () =>
    homeBeforeScripts(viewport));

test("the part of the landing page below the fold is laid out right after the first paint", async () => {
  await using stage = await openShop();
  const page = await browser.newPage({ viewport: sizes[0] });
  await page.goto(stage.url.href);
  await page.waitForFunction(() => "painted" in document.documentElement.dataset);
  const skipped = await page.evaluate(() =>
    [...document.querySelectorAll("main section")].filter(
      (section) => getComputedStyle(section).contentVisibility !== "visible",
    ),
  );
  expect(skipped).toEqual([]);
  await page.close();
});
