import { afterAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { openShop } from "../support/shop/shop-in-browser";
import { openSignedOutSite } from "../support/shop/signed-out-site";
import { openBrowser, openPage, signIn, still, goTo } from "./browser";
import { waitUntilHydrated } from "./hydrated";

const browser = await openBrowser();
const site = await openSignedOutSite();
afterAll(() => site.close());

const scripts = "**/assets/*.js";
const retry = (page: Page) => page.getByRole("button", { name: "Retry" });
const pathOf = (url: string) => new URL(url).pathname;

test("a page whose script fails to load says so, and Retry shows the page", async () => {
  const { context, page } = await openPage(browser);
  await goTo(page, site.url.href);
  await waitUntilHydrated(page);
  let blocked = true;
  await page.route(scripts, (route) =>
    blocked && route.request().resourceType() === "script" ? route.abort() : route.continue(),
  );
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Login" }).click();
  await page.getByRole("heading", { name: "This page could not be loaded" }).waitFor();
  expect(pathOf(page.url())).toBe("/login");
  blocked = false;
  await retry(page).click();
  await page.getByLabel("Username").waitFor();
  await context.close();
});

test("a script that is gone after a deploy reloads the page once, and never in a loop", async () => {
  const { context, page } = await openPage(browser);
  await goTo(page, site.url.href);
  await waitUntilHydrated(page);
  // As after a deploy: the files that the open page names are no longer served.
  let documents = 0;
  let deployed = false;
  await page.route(scripts, (route) => (deployed ? route.continue() : route.fulfill({ status: 404 })));
  page.on("request", (request) => {
    documents += Number(request.isNavigationRequest());
    if (request.isNavigationRequest()) deployed = true;
  });
  const login = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Login" });
  await login.click();
  await page.getByLabel("Username").waitFor();
  expect([documents, pathOf(page.url())]).toEqual([1, "/login"]);

  // A deploy that went wrong: the new page names files that are not served either.
  await goTo(page, site.url.href);
  await waitUntilHydrated(page);
  await page.unroute(scripts);
  await page.route(scripts, (route) => route.fulfill({ status: 404 }));
  documents = 0;
  await page.getByRole("navigation", { name: "Footer" }).getByRole("link", { name: "Commands" }).click();
  await page.getByText("could not be loaded").or(page.getByText("has not arrived yet")).first().waitFor();
  expect(documents).toBeLessThanOrEqual(1);
  await context.close();
});

test("offline, the dashboard keeps its frame, and opens the requested page once it is online", async () => {
  await using stage = await openShop();
  const context = await browser.newContext({ ...still, viewport: { width: 1280, height: 900 } });
  const ada = stage.person();
  await ada.register(await stage.handOut(), "ada");
  await signIn(context, ada, stage.url);
  const page = await context.newPage();
  await goTo(page, new URL("/dashboard", stage.url).href);
  await waitUntilHydrated(page);
  const navigation = page.getByRole("navigation", { name: "Dashboard" });
  for (const [name, path] of [
    ["Settings", "/dashboard/settings"],
    ["License", "/dashboard/license"],
  ] as const) {
    await context.setOffline(true);
    await navigation.getByRole("link", { name }).click();
    await page.getByText("You're offline").waitFor();
    expect(await navigation.isVisible()).toBe(true);
    expect(pathOf(page.url())).toBe(path);
    await retry(page).click();
    await page.getByText("You're offline").waitFor();
    await context.setOffline(false);
    await page.getByRole("heading", { level: 1, name }).waitFor();
    await page.getByText("You're offline").waitFor({ state: "hidden" });
  }
  await context.close();
});

test("a pressed link is marked at once, and a bar shows that its page is loading", async () => {
  const { context, page } = await openPage(browser);
  await goTo(page, site.url.href);
  await waitUntilHydrated(page);
  const held = Promise.withResolvers<void>();
  await page.route(scripts, async (route) => {
    await held.promise;
    await route.continue();
  });
  const bar = page.getByRole("progressbar", { name: "Loading the page" });
  const link = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Login" });
  expect(await bar.count()).toBe(0);
  await link.click();
  expect(await link.getAttribute("data-pressed")).toBe("");
  await bar.waitFor();
  held.resolve();
  await page.getByLabel("Username").waitFor();
  expect(await bar.count()).toBe(0);
  expect(await page.locator("[data-pressed]").count()).toBe(0);
  await context.close();
});

test("a page says after twenty seconds that its script hangs, and is shown if the script arrives after all", async () => {
  const { context, page } = await openPage(browser);
  await page.clock.install();
  await goTo(page, site.url.href);
  await waitUntilHydrated(page);
  const held = Promise.withResolvers<void>();
  await page.route(scripts, async (route) => {
    if (route.request().resourceType() === "script") await held.promise;
    await route.continue();
  });
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Login" }).click();
  await page.getByRole("progressbar", { name: "Loading the page" }).waitFor();
  await page.clock.fastForward(20_000);
  await page.getByRole("heading", { name: "This page could not be loaded" }).waitFor();
  held.resolve();
  await page.getByLabel("Username").waitFor();
  await context.close();
});
