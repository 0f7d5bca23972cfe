import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { openShop } from "../../support/shop/shop-in-browser";
import { openBrowser, shiftOf, signIn, type sizes, still, untilWhole, watchShifts } from "../browser";

/** Holds the page's scripts back until the returned function is called. */
async function holdScripts(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route("**/assets/*.js", async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

/** Home says where the customer stands before its scripts come, and takes the answers that the page has asked for. */
export async function homeBeforeScripts(viewport: (typeof sizes)[number]) {
  const browser = await openBrowser();
  await using stage = await openShop();
  const person = stage.person();
  await person.register(await stage.handOut(30), "tim");
  const context = await browser.newContext({ ...still, viewport });
  await signIn(context, person, stage.url);
  const page = await context.newPage();
  const wrong: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") wrong.push(message.text());
  });
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await watchShifts(page);
  const release = await holdScripts(page);
  await page.goto(new URL("/dashboard", stage.url).href, { waitUntil: "commit" });
  const told = page.locator('[data-early="title"]');
  await told.getByText(/^Wisp Premium · Active · until \w{3} \d+, \d{4}$/).waitFor();
  release();
  await page.getByRole("region", { name: "License status" }).waitFor();
  await untilWhole(page);
  expect(await told.count()).toBe(0);
  // the app takes the answers that the page has asked for
  for (const path of ["/api/licenses/me", "/api/licenses/unused"])
    expect([path, asked.filter((one) => one === path).length]).toEqual([path, 1]);
  const shift = await shiftOf(page);
  expect([wrong, shift <= 0.02 || shift]).toEqual([[], true]);
  await context.close();
}
