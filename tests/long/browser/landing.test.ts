import { afterAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { operated } from "../../support/operator/run-operator";
import { openShop } from "../../support/shop/shop-in-browser";
import {
  addUpShifts,
  axeFindings,
  goTo,
  openBrowser,
  shiftOf,
  sizes,
  still,
  waitForAnimations,
} from "../../browser/browser";
import { waitUntilHydrated } from "../../browser/hydrated";

const browser = await openBrowser();
const stage = await openShop();
await operated(stage, "codes", "create", "LAUNCH", "--percent", "20", "--reason", "a test");
afterAll(() => stage[Symbol.asyncDispose]());
for (const viewport of sizes) {
  test(`at ${viewport.width} px the price is in the first view, and what comes before Purchase is what it costs`, async () => {
    const { page, wrong, close } = await open(viewport);
    // before any press: on a busy machine what a press opens counts as a shift, half a second later
    expect(await shiftOf(page)).toBeLessThan(0.02);
    const price = page.getByText("$5 once, no subscription");
    expect(await bottomOf(price)).toBeLessThanOrEqual(viewport.height);
    if (viewport === sizes[0]) expect(await axeFindings(page)).toEqual([]);
    const buy = page.getByRole("button", { name: "Purchase Premium" });
    await buy.scrollIntoViewIfNeeded();
    for (const before of ["Have a code?", "One payment of $5.00. The license never expires."]) {
      expect(await topOf(page.getByText(before))).toBeLessThan(await topOf(buy));
    }
    expect(await topOf(page.getByText("Send as a gift"))).toBeGreaterThan(await topOf(buy));
    await page.getByText("Have a code?").click();
    await page.getByLabel("Promotion code").fill("LAUNCH");
    await page.getByRole("button", { name: "Apply" }).click();
    await page.getByText(", 20% off").waitFor();
    await page.getByText("One payment of $4.00. The license never expires.").waitFor();
    if (viewport === sizes[0]) expect(await axeFindings(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      viewport.width,
    );
    expect(wrong).toEqual([]);
    await close();
  });

  test(`at ${viewport.width} px the order's total and button stay in view, also over an on-screen keyboard`, async () => {
    const { page, wrong, close } = await open(viewport);
    await page.getByRole("link", { name: "Send as a gift" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.waitFor();
    await dialog.getByLabel("Their email").fill("bob@example.com");
    await dialog.getByLabel("From").fill("Ada");
    await dialog.getByLabel("Message").fill("Happy birthday!\n".repeat(12));
    await dialog.getByText("Preview their email").click();
    for (const sentence of ["A gift for you", "Ada sent you Wisp Premium.", "Ada wrote:"]) {
      await dialog.getByText(sentence, { exact: true }).waitFor();
    }
    if (viewport === sizes[0]) expect(await axeFindings(page)).toEqual([]);
    // what a keyboard leaves of the window, where the page is told
    for (const height of [viewport.height, Math.round(viewport.height * 0.55)]) {
      await page.setViewportSize({ width: viewport.width, height });
      await waitForAnimations(page);
      for (const field of ["Their email", "Message"]) {
        await dialog.getByLabel(field).focus();
        for (const part of [
          dialog.getByText("$5", { exact: true }),
          dialog.getByRole("button", { name: "Purchase gift" }),
        ]) {
          expect(await topOf(part)).toBeGreaterThanOrEqual(0);
          expect(await bottomOf(part)).toBeLessThanOrEqual(height);
        }
        // the field isn't hidden behind them
        const { top, bottom } = await dialog.getByLabel(field).evaluate((one) => one.getBoundingClientRect());
        const total = await topOf(dialog.getByText("$5", { exact: true }));
        expect(Math.min(bottom, total) - top).toBeGreaterThan(30);
      }
    }
    expect(wrong).toEqual([]);
    await close();
  });
}

test("on a phone Premium comes first, then what needs a computer", async () => {
  const { page, wrong, close } = await open(sizes[0]);
  const parts = [
    page.getByRole("heading", { name: "Premium", exact: true }),
    page.getByText("Revisit on a computer to download or purchase!"),
    page.getByRole("heading", { name: "Free Selfbot" }),
    page.getByRole("heading", { name: "Rich Presence" }),
  ];
  const tops = await Promise.all(parts.map(topOf));
  expect(tops).toEqual(tops.toSorted((one, other) => one - other));
  expect(wrong).toEqual([]);
  await close();
});

test("when an on-screen keyboard covers the window without shrinking it, as on iOS, the order stays above it", async () => {
  const { page, wrong, close } = await open({ width: 360, height: 740 });
  await page.getByRole("link", { name: "Send as a gift" }).click();
  const dialog = page.getByRole("dialog");
  const total = dialog.getByRole("button", { name: "Purchase gift" });
  await total.waitFor();
  const keyboard = async (height: number | null) => {
    await page.evaluate((visible) => {
      const viewport = window.visualViewport;
      if (!viewport) throw new Error("this browser tells no visual viewport");
      if (visible === null) Reflect.deleteProperty(viewport, "height");
      else Object.defineProperty(viewport, "height", { value: visible, configurable: true });
      viewport.dispatchEvent(new Event("resize"));
    }, height);
    await waitForAnimations(page);
  };
  await keyboard(400);
  expect(await bottomOf(dialog)).toBeLessThanOrEqual(400);
  expect(await topOf(dialog)).toBeGreaterThanOrEqual(0);
  expect(await bottomOf(total)).toBeLessThanOrEqual(400);
  await keyboard(null);
  expect(await bottomOf(total)).toBeGreaterThan(400);
  expect(wrong).toEqual([]);
  await close();
});

/** The landing page, with what its policy or its code complains of, and what shifts. */
async function open(viewport: { width: number; height: number }) {
  const context = await browser.newContext({ ...still, viewport });
  const page = await context.newPage();
  const wrong: string[] = [];
  page.on("console", (message) => void (message.type() === "error" && wrong.push(message.text())));
  page.on("pageerror", (error) => void wrong.push(error.message));
  await page.addInitScript(addUpShifts);
  await goTo(page, stage.url.href);
  await waitUntilHydrated(page);
  return { page, wrong, close: () => context.close() };
}

type Found = ReturnType<Page["getByText"]>;
const topOf = (found: Found) => found.first().evaluate((one) => one.getBoundingClientRect().top);
const bottomOf = (found: Found) => found.first().evaluate((one) => one.getBoundingClientRect().bottom);
