import { afterAll, expect, test } from "bun:test";
import type { BrowserContextOptions, Page } from "playwright-core";
import { pages } from "@/web/pages";
import type { Person } from "../support/people/person";
import { release } from "../support/shop/publish-release";
import { openShop } from "../support/shop/shop-in-browser";
import { axeFindings, openBrowser, shiftOf, signIn, sizes, still, watchShifts } from "./browser";

const grounds = { dark: "rgb(11, 10, 18)", light: "rgb(247, 246, 251)" };

const browser = await openBrowser();
const stage = await openShop({ discord: true, env: { LIMITS: "register-success=1000/60" } });
afterAll(() => stage[Symbol.asyncDispose]());

const ada = stage.person();
await release(stage, "1.0.0", { content: "One thing.\nAnother." });
const sale = await stage.buy();
await ada.register(sale.key, "ada");
const intent: string = (await ada.get("/api/payments")).body.data[0].payment_id;

test("a new visitor sees the dark theme, whatever the device prefers", async () => {
  const { page, close } = await visit(null, { colorScheme: "light" });
  await page.goto(stage.url.href);
  expect(await drawn(page)).toEqual({ theme: "dark", ground: grounds.dark, bars: "#0b0a12", scheme: "dark" });
  await close();
});

test("Settings change the theme at once, and the browser keeps it", async () => {
  const { page, close } = await visit(ada);
  await to(page, "/dashboard/settings");
  const choices = page.getByRole("group", { name: "Appearance" });
  expect(await choices.getByRole("radio", { name: "Dark" }).isChecked()).toBe(true);
  await choices.getByText("Light").click();
  const light = { theme: "light", ground: grounds.light, bars: "#f7f6fb", scheme: "light" };
  await page.waitForFunction(() => document.documentElement.dataset["theme"] === "light");
  expect(await drawn(page)).toEqual(light);
  for (const path of ["/dashboard/settings", "/", "/login"]) {
    await to(page, path);
    expect([path, await drawn(page)]).toEqual([path, light]);
  }
  await to(page, "/dashboard/settings");
  expect(await choices.getByRole("radio", { name: "Light" }).isChecked()).toBe(true);
  await close();
});

test("System follows the device while the page is open, and so do other tabs", async () => {
  const { page, context, close } = await visit(ada, { colorScheme: "light" });
  await to(page, "/dashboard/settings");
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

test("without storage the choice holds for the page", async () => {
  const { page, close } = await visit(ada);
  await page.addInitScript(() =>
    Object.defineProperty(window, "localStorage", {
      get() {
        throw new Error("refused");
      },
    }),
  );
  await to(page, "/dashboard/settings");
  await page.getByRole("group", { name: "Appearance" }).getByText("Light").click();
  await page.waitForFunction(() => document.documentElement.dataset["theme"] === "light");
  await close();
});

test("a light page is light from its first paint, even while none of its files arrive", async () => {
  for (const path of ["/", "/commands", "/dashboard"]) {
    const { page, close } = await visit(null);
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
  const { page, close } = await visit(null);
  await keep(page, "light");
  await to(page, "/");
  const windows = page.locator("[data-theme=dark]");
  expect(await windows.count()).toBeGreaterThan(5);
  for (const one of await windows.all())
    expect(await one.evaluate((element) => getComputedStyle(element).colorScheme)).toBe("dark");
  await close();
});

const publicPaths = Object.keys(pages).filter((path) => !path.startsWith("/dashboard") && path !== "/logout");
const ownPaths = Object.keys(pages).filter((path) => path.startsWith("/dashboard"));

for (const [who, person, paths, widths] of [
  ["a visitor", null, publicPaths, sizes],
  // the dashboard's own tests look at it in the dark theme at each width
  ["a customer", ada, ownPaths, [sizes[1]]],
] as const) {
  for (const viewport of widths) {
    test(`no page of ${who} shifts, is too wide, or has a finding of axe in either theme at ${viewport.width} pixels`, async () => {
      const { page, close, violations } = await visit(person, { viewport });
      await keep(page, "light");
      await watchShifts(page);
      const judged: unknown[] = [];
      for (const path of paths) {
        await to(page, path + (queries[path] ?? ""));
        const findings = await axeFindings(page);
        const shift = await shiftOf(page);
        const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        judged.push([path, findings, shift <= 0.02 || shift, sideways]);
      }
      expect(judged).toEqual(paths.map((path) => [path, [], true, 0]));
      expect(violations).toEqual([]);
      await close();
    });
  }
}

const queries: Record<string, string> = {
  "/dashboard/transaction": `?payment_intent=${intent}`,
  "/success": `?session_id=${sale.sessionId}`,
  "/cancel": `?session_id=${sale.sessionId}`,
};

/** How the page is drawn, and what the browser's own parts are told. */
const drawn = (page: Page) =>
  page.evaluate(() => ({
    theme: document.documentElement.dataset["theme"],
    ground: getComputedStyle(document.body).backgroundColor,
    bars: document.querySelector('meta[name="theme-color"]')?.getAttribute("content"),
    scheme: document.querySelector('meta[name="color-scheme"]')?.getAttribute("content"),
  }));

/** As if that theme had been chosen before. */
const keep = (page: Page, theme: string) =>
  page.addInitScript((chosen) => localStorage.setItem("theme", chosen), theme);

async function to(page: Page, path: string) {
  await page.goto(new URL(path, stage.url).href, { waitUntil: "networkidle" });
}

async function visit(person: Person | null, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ ...still, ...options });
  if (person) await signIn(context, person, stage.url);
  const page = await context.newPage();
  const violations: string[] = [];
  page.on("console", (message) => {
    if (/content security policy/i.test(message.text())) violations.push(message.text());
  });
  return { page, context, violations, close: () => context.close() };
}
