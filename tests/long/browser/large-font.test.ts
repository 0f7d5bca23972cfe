import { expect, test } from "bun:test";
import { openShop } from "../../support/shop/shop-in-browser";
import { goTo, openBrowser, openPage, signIn, waitForAnimations } from "../../browser/browser";

const browser = await openBrowser();

const publicPages = ["/", "/login", "/register", "/find-order", "/forgot-pass"];
const pages = ["", "/license", "/payments", "/settings", "/account", "/tickets?new", "/download"];

test("with a font of up to twice the size, no page of a phone scrolls sideways, and every menu is reachable", async () => {
  await using stage = await openShop();
  const { context, page, wrong } = await openPage(browser);
  const person = stage.person();
  await person.register(await stage.handOut(), "bea");
  await page.setViewportSize({ width: 360, height: 740 });
  const found: string[] = [];
  const look = async (path: string) => {
    await goTo(page, new URL(path, stage.url).href);
    await page.locator("h1").first().waitFor({ state: "attached" });
    for (const size of [130, 150, 200]) {
      await page.evaluate((percent) => void (document.documentElement.style.fontSize = `${percent}%`), size);
      // even without motion, a size is one frame late
      await page.waitForFunction(
        (pixels) => getComputedStyle(document.documentElement).fontSize === `${pixels}px`,
        (16 * size) / 100,
      );
      await waitForAnimations(page);
      const outside = await page.evaluate(outsideNow);
      found.push(...outside.map((what) => `${path} at ${size} %: ${what}`));
    }
  };
  for (const path of publicPages) await look(path);
  await signIn(context, person, stage.url);
  for (const path of pages) await look(`/dashboard${path}`);
  expect(found).toEqual([]);
  expect(wrong).toEqual([]);
  await context.close();
});

/** Runs in the page: what is beside a phone's screen. */
function outsideNow(): string[] {
  const over = document.documentElement.scrollWidth - innerWidth;
  const cut = [...document.querySelectorAll("header button, header a, main td *")].filter((element) => {
    const { left, right, width } = element.getBoundingClientRect();
    return width > 1 && (left < 0 || right > innerWidth);
  });
  return [
    ...(over > 0 ? [`${over} px too wide`] : []),
    ...cut.map((element) => `${element.tagName} ${element.textContent.trim()} is cut`),
  ];
}
