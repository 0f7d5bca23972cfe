import { afterAll, expect, test } from "bun:test";
import { pages } from "@/web/pages";
import { openShop } from "../../support/shop/shop-in-browser";
import { openSignedOutSite } from "../../support/shop/signed-out-site";
import { goTo, openBrowser, openPage, signIn, still } from "../../browser/browser";
import { waitUntilHydrated } from "../../browser/hydrated";

const browser = await openBrowser();
const site = await openSignedOutSite();
afterAll(() => site.close());

const scripts = "**/assets/*.js";

test("pages served as skeletons hydrate without errors, whatever the browser has stored", async () => {
  await using stage = await openShop();
  const ada = stage.person();
  await ada.register(await stage.handOut(), "ada");
  for (const signedIn of [true, false]) {
    const context = await browser.newContext({ ...still, viewport: { width: 1280, height: 900 } });
    if (signedIn) await signIn(context, ada, stage.url);
    await context.addInitScript(() => {
      localStorage.setItem("sidebar", "collapsed");
      sessionStorage.setItem("last-checkout", "cs_test_unknown");
    });
    const page = await context.newPage();
    const wrong: string[] = [];
    page.on("pageerror", (error) => void wrong.push(error.message));
    const closed = Object.entries(pages).flatMap(([path, { prerender }]) => (prerender ? [] : [path]));
    for (const path of [...closed, "/confirm-email#token", "/dashboard/nothing"]) {
      if (signedIn && path === "/logout") continue;
      await goTo(page, new URL(path, stage.url).href);
      await waitUntilHydrated(page);
      await page.locator("#root h1").first().waitFor();
      expect([path, await page.locator(".late-notice").count(), wrong]).toEqual([path, 0, []]);
    }
    await context.close();
  }
});

const needing = ["/dashboard", "/dashboard/license", "/success", "/cancel", "/logout", "/confirm-email"];

test("pages that need scripts show a skeleton until they load, and say what they need where scripts are off", async () => {
  for (const path of [...needing, "/login", "/register", "/forgot-pass", "/find-order"]) {
    const { context, page } = await openPage(browser);
    await page.route(scripts, () => {});
    await page.goto(new URL(path, site.url).href, { waitUntil: "commit" });
    const drawn = page.locator("#root [data-slot=skeleton], #root .animate-spin, #root form").first();
    // attached before it is seen, because the sheet comes later
    await drawn.waitFor();
    await context.close();

    const without = await browser.newContext({ javaScriptEnabled: false });
    const plain = await without.newPage();
    await plain.goto(new URL(path, site.url).href);
    expect([path, await plain.locator(".without-scripts").isVisible()]).toEqual([path, true]);
    expect([path, await plain.locator("#root [data-slot=skeleton]:visible").count()]).toEqual([path, 0]);
    await without.close();
  }
});
