import { expect, test } from "bun:test";
import { openShop } from "../../support/shop/shop-in-browser";
import { openBrowser, shiftOf, sizes, still, watchShifts, goTo } from "../../browser/browser";

const browser = await openBrowser();

test("a font that comes late moves nothing on the page", async () => {
  await using stage = await openShop();
  for (const viewport of sizes) {
    for (const path of ["/", "/login", "/register"]) {
      const context = await browser.newContext({ ...still, viewport });
      const page = await context.newPage();
      await watchShifts(page);
      await page.route("**/fonts/**", async (route) => {
        await Bun.sleep(800);
        await route.continue();
      });
      await goTo(page, new URL(path, stage.url).href);
      await page.evaluate(() => document.fonts.ready);
      expect({ path, width: viewport.width, shift: await shiftOf(page) }).toEqual({
        path,
        width: viewport.width,
        shift: 0,
      });
      await context.close();
    }
  }
});
