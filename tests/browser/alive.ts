import type { Page } from "playwright-core";

/** Waits until React has taken the markup over; what comes late may still be on its way. */
export async function comesAlive(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const first = document.querySelector("#root")?.firstElementChild;
    return Object.keys(first ?? {}).some((key) => key.startsWith("__react"));
  });
}
