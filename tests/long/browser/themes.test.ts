import { afterAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { pages } from "@/web/pages";
import { release } from "../../support/shop/publish-release";
import { openShop } from "../../support/shop/shop-in-browser";
import { axeFindings, goTo, shiftOf, sizes, tooWide } from "../../browser/browser";
import { drawn, grounds } from "../../browser/drawn";
import { visit } from "../../browser/visit";

const stage = await openShop({ discord: true, env: { LIMITS: "register-success=1000/60" } });
afterAll(() => stage[Symbol.asyncDispose]());

const ada = stage.person();
await release(stage, "1.0.0", { content: "One thing.\nAnother." });
const sale = await stage.buy();
await ada.register(sale.key, "ada");

test("System follows the device while the page is open, and so do other tabs", async () => {
  const { page, context, close } = await visit(stage.url, { person: ada, colorScheme: "light" });
  await to(page, "/dashboard/settings#appearance");
  const other = await context.newPage();
  await to(other, "/commands");
  await page.getByRole("group", { name: "Appearance" }).getByText("System").click();
  for (const one of [page, other]) {
    await one.waitForFunction(() => document.documentElement.dataset["theme"] === "light");
    await one.emulateMedia({ colorScheme: "dark" });
    await one.waitForFunction(() => document.documentElement.dataset["theme"] === "dark");
    expect(await drawn(one)).toMatchObject({ theme: "dark", bars: "#0b0a12", scheme: "dark" });
  }
  await close();
});

test("a light page is light from its first paint, even while none of its files arrive", async () => {
  for (const path of ["/", "/commands", "/dashboard"]) {
    const { page, close } = await visit(stage.url);
    await keep(page, "light");
    // the sheet that the dashboard links must arrive, for there is nothing to see before
    await page.route("**/*.js", () => {});
    await page.addInitScript(() => {
      new PerformanceObserver((list) => {
        const [first] = list.getEntries();
        const { theme } = document.documentElement.dataset;
        if (first)
          Object.assign(window, { painted: [theme, getComputedStyle(document.body).backgroundColor] });
      }).observe({ type: "paint", buffered: true });
    });
    await page.goto(new URL(path, stage.url).href, { waitUntil: "commit" });
    const painted = await page.waitForFunction(() => Reflect.get(window, "painted"));
    expect([path, await painted.jsonValue()]).toEqual([path, ["light", grounds.light]]);
    await close();
  }
});

test("application windows on the landing page stay dark in the light theme", async () => {
  const { page, close } = await visit(stage.url);
  await keep(page, "light");
  await to(page, "/");
  const windows = page.locator("[data-theme=dark]");
  expect(await windows.count()).toBeGreaterThan(5);
  for (const one of await windows.all())
    expect(await one.evaluate((element) => getComputedStyle(element).colorScheme)).toBe("dark");
  await close();
});

const publicPaths = Object.keys(pages).filter((path) => !path.startsWith("/dashboard") && path !== "/logout");

test("no public page shifts, is too wide, or has a finding of axe in either theme", async () => {
  for (const viewport of [sizes[2], sizes[0]]) {
    const { page, close } = await visit(stage.url, { viewport, slowly: true });
    await keep(page, "light");
    for (const path of publicPaths) {
      await page.setViewportSize(viewport);
      await to(page, path + (queries[path] ?? ""));
      const shift = await shiftOf(page);
      const findings = viewport === sizes[0] ? [] : await axeFindings(page);
      const wide = await tooWide(page, viewport === sizes[0] ? [sizes[0]] : [sizes[2], sizes[1]]);
      expect([path, findings, shift <= 0.02 || shift, wide]).toEqual([path, [], true, []]);
    }
    await close();
  }
});

const queries: Record<string, string> = {
  "/success": `?session_id=${sale.sessionId}`,
  "/cancel": `?session_id=${sale.sessionId}`,
};

/** As if that theme had been chosen before. */
const keep = (page: Page, theme: string) =>
  page.addInitScript((chosen) => localStorage.setItem("theme", chosen), theme);

async function to(page: Page, path: string) {
  await goTo(page, new URL(path, stage.url).href);
}
