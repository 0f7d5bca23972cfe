import type { Page } from "playwright-core";

/** What is behind everything, by theme. */
export const grounds = { dark: "rgb(11, 10, 18)", light: "rgb(247, 246, 251)" };

/** How the page is drawn, and what the browser's own parts are told. */
export const drawn = (page: Page) =>
  page.evaluate(() => ({
    theme: document.documentElement.dataset["theme"],
    ground: getComputedStyle(document.body).backgroundColor,
    bars: document.querySelector('meta[name="theme-color"]')?.getAttribute("content"),
    scheme: document.querySelector('meta[name="color-scheme"]')?.getAttribute("content"),
  }));
