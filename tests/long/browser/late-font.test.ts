import { expect, test } from "bun:test";
import { openShop } from "../../support/shop/shop-in-browser";
import { openBrowser, shiftOf, sizes, still, untilWhole, watchShifts } from "../../browser/browser";

const browser = await openBrowser();

test("a font that comes late moves nothing on the page", async () => {
  await using stage = await openShop();
  for (const viewport of sizes) {
    for (const path of ["/", "/login", "/register"]) {
      const context = await browser.newContext({ ...still, viewport });
      const page = await context.newPage();
      await watchShifts(page);
      const { promise, resolve: deliver } = Promise.withResolvers<void>();
      await page.route("**/fonts/**", async (route) => {
        await promise;
        await route.continue();
      });
      await page.goto(new URL(path, stage.url).href, { waitUntil: "commit" });
      await untilWhole(page);
      const before = await shiftOf(page);
      deliver();
      await page.waitForFunction(
        () => document.fonts.status === "loaded" && document.fonts.check("1em Geist"),
      );
      expect({ path, width: viewport.width, shift: await shiftOf(page) }).toEqual({
        path,
        width: viewport.width,
        shift: before,
      });
      await context.close();
    }
  }
});
