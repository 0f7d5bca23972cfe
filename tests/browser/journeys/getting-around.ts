/** The dashboard's ways from page to page, and what comes after a download, at any width. */
import { afterAll, expect } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { release } from "../../support/shop/publish-release";
import { openShop } from "../../support/shop/shop-in-browser";
import type { sizes } from "../browser";
import { focusFaults } from "../by-keyboard";
import { waitUntilHydrated } from "../hydrated";
import { visit } from "../visit";

type Size = (typeof sizes)[number];

const stage = await openShop({ env: { LIMITS: "own=1000/60" } });
afterAll(() => stage[Symbol.asyncDispose]());

const ada = stage.person();
await release(stage, "1.0.0", { content: "One thing." });
const { key } = await stage.buy();
await ada.register(key, "ada");
const [payment] = (await ada.get("/api/payments")).body.data;

const title = (page: Page) => page.getByRole("heading", { level: 1 }).first();
const hasFocus = (element: Locator) => element.evaluate((one) => one === document.activeElement);
const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText());
const toast = (page: Page, text: string) => page.locator("[data-sonner-toast]", { hasText: text }).waitFor();

export async function afterDownload(size: Size) {
  const { page, to, close } = await adas(size);
  await to("/dashboard/download");
  const steps = page.locator("[data-slot=card]", { hasText: "After the download" });
  await steps.waitFor();
  expect(await steps.getByRole("listitem").getByRole("heading").allTextContents()).toEqual([
    "Open the file",
    "Paste your token into Wisp",
    "The first start attaches this computer",
  ]);
  await steps.getByText("Allow the AppImage to run").waitFor();
  const warning = steps.getByText("Nothing happens, or FUSE is missing");
  expect(await warning.isVisible()).toBe(false);
  await steps.getByText("If your system warns you").click();
  await warning.waitFor();
  await steps.getByText("compare the file's SHA-256").waitFor();
  await steps.getByRole("button", { name: "Copy token" }).click();
  await toast(page, "Copied auth token to clipboard");
  expect(await copied(page)).toBe((await ada.get("/api/user/me")).body.data.api_key);
  await close("/dashboard/download");
}

export async function menu(size: Size) {
  const { page, to, close } = await adas(size);
  await to("/dashboard");
  for (const name of ["Download", "Tickets", "Settings", "License", "Payments", "Dashboard"]) {
    if (size.width < 1024) await page.getByRole("button", { name: "Open navigation" }).click();
    const menu = page.getByRole("navigation", { name: "Dashboard" });
    await menu.getByRole("link", { name, exact: true }).click();
    await page.getByRole("heading", { level: 1, name, exact: name !== "Tickets" }).waitFor();
    expect(await page.title()).toStartWith(name);
    const crumbs = page.getByRole("navigation", { name: "breadcrumb" });
    expect(await crumbs.locator("[aria-current=page]").innerText()).toBe(name);
    if (size.width < 1024) await menu.waitFor({ state: "detached" });
    else
      expect(await menu.getByRole("link", { name, exact: true }).getAttribute("aria-current")).toBe("page");
  }
  await close("the menu");
}

export async function breadcrumb(size: Size) {
  const { page, to, close } = await adas(size);
  await to(`/dashboard/transaction?payment_intent=${payment.payment_id}`);
  const crumbs = page.getByRole("navigation", { name: "breadcrumb" });
  expect(await crumbs.locator("li:visible a").allTextContents()).toEqual(
    size.width < 640 ? ["Payments"] : ["Dashboard", "Payments"],
  );
  await crumbs.getByRole("link", { name: "Payments" }).click();
  await page.getByRole("heading", { level: 1, name: "Payments" }).waitFor();
  await close("a transaction");
}

export async function skipLink(size: Size) {
  const { page, to, close } = await adas(size);
  await to("/dashboard");
  await page.keyboard.press("Tab");
  const skip = page.getByRole("link", { name: "Skip to content" });
  expect(await hasFocus(skip)).toBe(true);
  expect(await focusFaults(page)).toEqual([]);
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  expect(await page.evaluate(() => document.activeElement?.closest("main") !== null)).toBe(true);
  await page.keyboard.press("g");
  await page.keyboard.press("l");
  await page.getByRole("heading", { level: 1, name: "License" }).waitFor();
  await page.waitForFunction(() => document.activeElement?.tagName === "H1");
  await page.goBack();
  await page.getByRole("heading", { level: 1, name: "Dashboard" }).waitFor();
  await page.waitForFunction(() => document.activeElement?.tagName === "H1");
  expect(await title(page).innerText()).toBe("Dashboard");
  await close("Home");
}

export async function shortcuts(size: Size) {
  const { page, to, close } = await adas(size);
  await to("/dashboard");
  await page.keyboard.press("?");
  const list = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await list.getByText("Go to Payments").waitFor();
  await page.keyboard.press("Escape");
  await list.waitFor({ state: "detached" });
  const act = async (words: string) => {
    await page.keyboard.press("Control+k");
    await page.locator("[role=combobox]:focus").waitFor();
    await page.keyboard.type(words);
    await page.keyboard.press("Enter");
  };
  await act("copy license");
  await toast(page, "Copied license key to clipboard");
  expect(await copied(page)).toBe(key);
  await act("copy token");
  await toast(page, "Copied auth token to clipboard");
  expect(await copied(page)).toBe((await ada.get("/api/user/me")).body.data.api_key);
  await act("light");
  await page.waitForFunction(() => document.documentElement.dataset["theme"] === "light");
  await act("new ticket");
  await page.waitForURL("**/dashboard/tickets**");
  await page.getByRole("button", { name: "Device" }).waitFor();
  await close("a new ticket");
}

/** A page of Ada's in a window of that size, whose calls take a moment; closing it judges what it shows. */
async function adas(viewport: Size) {
  const { page, context, to, judge, close } = await visit(stage.url, { person: ada, slowly: true, viewport });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  return {
    page,
    to: async (path: string) => {
      const answer = await to(path);
      await waitUntilHydrated(page);
      return answer;
    },
    close: async (what: string) => {
      await judge(what);
      await close();
    },
  };
}
