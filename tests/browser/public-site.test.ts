import { expect, test } from "bun:test";
import { goTo, still } from "./browser";
import { byKeyboard } from "./by-keyboard";
import { waitUntilHydrated } from "./hydrated";
import { fits, open, site } from "./journeys/public-site";

test("axe finds nothing on the landing page, and nothing is cut off at 320 pixels or 200 percent", () =>
  fits("/"));

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
    await goTo(page, new URL("/tos", site.url).href);
    await waitUntilHydrated(page);
    await leave();
    await page.waitForURL(site.url.href);
    expect([name, await page.getByRole("dialog").count()]).toEqual([name, 0]);
  }
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
  await page.getByRole("alert").first().waitFor();
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
