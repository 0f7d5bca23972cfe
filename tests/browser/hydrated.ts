import type { Page } from "playwright-core";

/** Waits until React has hydrated all parts of a prerendered page, lazy ones included; what a logo holds is markup. */
export async function waitUntilHydrated(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const parts = [
      ...document.querySelectorAll("#root > *, #root main *:not(svg *), #root dialog, #root footer"),
    ];
    const isAlive = (part: Element) => Object.keys(part).some((key) => key.startsWith("__react"));
    return parts.length > 0 && parts.every(isAlive);
  });
}
