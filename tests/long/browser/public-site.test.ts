import { expect, test } from "bun:test";
import { axeFindings, still } from "../../browser/browser";
import { fits, open, site, widths } from "../../browser/journeys/public-site";

// every day: /
for (const path of ["/privacy-policy", "/terms-of-service", "/refund-policy", "/commands", "/no-such-page"]) {
  test(`axe finds nothing on ${path}, and nothing is cut off at 320 pixels or 200 percent`, () => fits(path));
}

test("axe finds nothing on the open menu", async () => {
  const { page, close } = await open("/", { ...still, viewport: widths.phone });
  await page.getByRole("button", { name: "Menu" }).click();
  expect(await axeFindings(page)).toEqual([]);
  await close();
});

test("on a narrow screen Premium is sold at once, and downloads are one tap away", async () => {
  const { page, close } = await open("/", { viewport: { width: 320, height: 640 } });
  const download = page.locator(".get a[download]").first();
  expect(await page.getByRole("button", { name: "Purchase Premium" }).isVisible()).toBe(true);
  expect(await download.isVisible()).toBe(false);
  expect(await page.getByText("Revisit on a computer to download or purchase!").isVisible()).toBe(true);
  await page.getByText("Already on a computer?").click();
  expect(await download.isVisible()).toBe(true);
  await page.setViewportSize(widths.desktop);
  expect(await page.getByText("Revisit on a computer").isVisible()).toBe(false);
  await close();
});

test("a dialog closed before scripts run leads to the landing page once they do", async () => {
  const { page, close } = await open("/");
  const held = Promise.withResolvers<void>();
  await page.route("**/assets/start-*.js", async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto(new URL("/tos", site.url).href, { waitUntil: "commit" });
  await page.getByRole("button", { name: "Confirm" }).click();
  expect(await page.getByRole("dialog").count()).toBe(0);
  held.resolve();
  await page.waitForURL(site.url.href);
  expect(await page.getByRole("dialog").count()).toBe(0);
  await close();
});

test("the bar hides when scrolling down and returns when scrolling up or when it gets focus", async () => {
  const { page, close } = await open("/");
  const top = () =>
    page.locator(".navigation-bar").evaluate((bar) => Math.round(bar.getBoundingClientRect().bottom));
  const becomes = (right: string) =>
    page.waitForFunction((right) => {
      const bottom = document.querySelector(".navigation-bar")?.getBoundingClientRect().bottom ?? 0;
      return right === "hidden" ? bottom <= 1 : bottom >= 60;
    }, right);
  expect(await top()).toBe(72);
  await page.mouse.wheel(0, 600);
  await becomes("hidden");
  await page.mouse.wheel(0, -80);
  await becomes("seen");
  await page.mouse.wheel(0, 300);
  await becomes("hidden");
  await page.getByRole("link", { name: "Why Us" }).focus();
  await becomes("seen");
  await close();
});

test("a link to a command scrolls to it, and a search shows others", async () => {
  const { page, close } = await open("/commands#play");
  const inView = await page.locator("#play").evaluate((line) => {
    const { top, bottom } = line.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  });
  expect(inView).toBe(true);
  await page.keyboard.press("/");
  await page.keyboard.type("purgelinks");
  await page.waitForFunction(() => document.querySelectorAll("main li").length === 1);
  await close();
});
