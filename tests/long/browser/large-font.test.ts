import { expect, test } from "bun:test";
import { release } from "../../support/shop/publish-release";
import { openShop } from "../../support/shop/shop-in-browser";
import { goTo, openBrowser, openPage, signIn, sizes, waitForAnimations } from "../../browser/browser";

const browser = await openBrowser();

const publicPages = ["/", "/login", "/register", "/find-order", "/forgot-pass"];
const pages = ["", "/license", "/payments", "/settings", "/account", "/tickets?new", "/download"];

test("with a font of up to twice the size, no page scrolls sideways or hides a word, and every menu is reachable", async () => {
  await using stage = await openShop();
  await release(stage, "2.1.0");
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
  await page.setViewportSize(sizes[2]);
  for (const path of ["/license", "/settings", "/download"]) await look(`/dashboard${path}`);
  expect(found).toEqual([]);
  expect(wrong).toEqual([]);
  await context.close();
});

/** Runs in the page: what is beside the screen, covered, or as small as before. */
function outsideNow(): string[] {
  const isSeen = (element: Element) => {
    const { width, height } = element.getBoundingClientRect();
    // what only screen readers hear is a pixel large
    return element.checkVisibility() && width > 1 && height > 1;
  };
  const all = (selector: string) => [...document.querySelectorAll(selector)].filter(isSeen);
  const over = document.documentElement.scrollWidth - innerWidth;
  const cut = all("header button, header a, main td *").filter((element) => {
    const { left, right } = element.getBoundingClientRect();
    return left < 0 || right > innerWidth;
  });
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  const words = all("body *").flatMap((element) =>
    [...element.childNodes]
      .filter((node) => node instanceof Text && node.data.trim() !== "")
      .map((node) => {
        const range = document.createRange();
        range.selectNodeContents(node);
        return { element, box: range.getBoundingClientRect() };
      }),
  );
  const broad = words.filter(
    ({ element, box }) => element.closest("main :is(h1, h2, h3)") !== null && box.right > innerWidth + 1,
  );
  const inBar = words.filter(({ element }) => element.closest(".navigation-bar nav") !== null);
  const onAnother = inBar.filter(({ box }) =>
    inBar.some((other) => other.box !== box && other.box.left < box.right && other.box.left > box.left),
  );
  const small = words.filter(
    ({ element }) => Number.parseFloat(getComputedStyle(element).fontSize) < 0.65 * rem,
  );
  const buttons = all("main button, main a[data-slot=button]");
  const thin = buttons.filter((button) => button.getBoundingClientRect().width < rem);
  const misplaced = words.filter(({ element, box }) =>
    buttons.some((button) => {
      const { left, right, top, bottom } = button.getBoundingClientRect();
      if (button.contains(element)) return box.top < top - 1 || box.bottom > bottom + 1;
      const apart =
        box.right <= left + 1 || box.left >= right - 1 || box.bottom <= top + 1 || box.top >= bottom - 1;
      return (
        !apart &&
        element.closest("main .truncate, header, [hidden]") === null &&
        element.closest("main") !== null
      );
    }),
  );
  const alone = all("[data-slot=breadcrumb-separator]").filter(
    ({ previousElementSibling: before }) => (before?.getBoundingClientRect().width ?? 0) < rem,
  );
  const named = (elements: Element[], what: string) =>
    elements.map((element) => `${element.tagName} ${element.textContent.trim().slice(0, 40)} ${what}`);
  return [
    ...(over > 0 ? [`${over} px too wide`] : []),
    ...named(cut, "is cut"),
    ...named(thin, "has no room"),
    ...named(
      misplaced.map(({ element }) => element),
      "is not where it belongs",
    ),
    ...named(
      small.map(({ element }) => element),
      "keeps its size",
    ),
    ...named(
      broad.map(({ element }) => element),
      "is cut",
    ),
    ...named(
      onAnother.map(({ element }) => element),
      "lies on another",
    ),
    ...named(alone, "separates nothing"),
  ];
}
