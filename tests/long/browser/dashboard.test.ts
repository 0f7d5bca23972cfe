import { expect, test } from "bun:test";
import { pages } from "@/web/pages";
import { release } from "../../support/shop/publish-release";
import { axeFindings, frames, goTo, shiftOf, sizes, tooWide } from "../../browser/browser";
import { ada, intent, stage, visitAs, widths } from "../../browser/journeys/dashboard";

test("every page of the dashboard loads without a layout shift, a console message, a policy violation or an axe finding, at every width", async () => {
  for (const viewport of [sizes[2], sizes[0]]) {
    const { page, slowly, close } = await visitAs(ada, { viewport });
    await slowly();
    for (const path of Object.keys(pages).filter((path) => path.startsWith("/dashboard"))) {
      const query = path === "/dashboard/transaction" ? `?payment_intent=${intent}` : "";
      await goTo(page, new URL(path + query, stage.url).href);
      await page.locator("main h1, main h2").first().waitFor();
      const shift = await shiftOf(page);
      const found = viewport === sizes[2] ? [] : await axeFindings(page);
      const wide = await tooWide(page, viewport === sizes[2] ? [sizes[1], sizes[2]] : [sizes[0]]);
      expect([path, found, shift <= 0.02 || shift, wide]).toEqual([path, [], true, []]);
    }
    await close();
  }
});

for (const [size, viewport] of Object.entries(widths)) {
  test(`on a ${size} lists of licences, payments and tickets scroll at 60 % of the viewport's height`, async () => {
    const { page, close } = await visitAs(ada, { viewport });
    const date = "2026-05-31T14:05:00.000Z";
    const many = (row: (at: number) => object) => ({
      status: 200,
      data: Array.from({ length: 40 }, (_, at) => row(at)),
    });
    const lists = {
      "/dashboard/license": [
        "**/api/licenses/me",
        many((at) => ({ ...licence, key: `WISP-AAAA-BBBB-CCCC-${1000 + at}` })),
      ],
      "/dashboard/account#license": [
        "**/api/licenses/me",
        many((at) => ({ ...licence, key: `WISP-AAAA-BBBB-CCCC-${1000 + at}` })),
      ],
      "/dashboard/payments": [
        "**/api/payments",
        many((at) => ({ ...payment, id: `payment-${at}`, created_at: date })),
      ],
      "/dashboard/tickets": [
        "**/api/tickets",
        many((at) => ({
          id: `ticket-${at}`,
          number: at,
          topic: "Other",
          state: "open",
          opened_at: date,
          last: { author: "member", text: "?" },
        })),
      ],
    } as const;
    for (const [path, [call, json]] of Object.entries(lists)) {
      await page.route(call, (route) => route.fulfill({ json }));
      await goTo(page, new URL(path, stage.url).href);
      const panel = page.locator("[data-slot=table-container]");
      await panel.locator("tr, li").nth(1).waitFor();
      const { height, inside } = await panel.evaluate((element) => ({
        height: element.getBoundingClientRect().height,
        inside: element.scrollHeight,
      }));
      const most = 0.6 * viewport.height;
      // five payments a page stay below it on a desktop
      const expected = Math.min(inside, most);
      expect([path, Math.round(height)]).toEqual([path, Math.round(expected)]);
      if (path !== "/dashboard/payments") expect([path, inside > most]).toEqual([path, true]);
      // what is hidden in the panel makes the page no longer
      const below = await page.evaluate(() => {
        const end = document.querySelector("footer")?.getBoundingClientRect().bottom ?? 0;
        return document.documentElement.scrollHeight - Math.ceil(end + scrollY);
      });
      expect([path, below]).toEqual([path, 0]);
      await panel.focus();
      await page.keyboard.press("End");
      await page.waitForFunction(
        (element) =>
          element instanceof HTMLElement &&
          element.scrollTop + element.clientHeight >= element.scrollHeight - 1,
        await panel.elementHandle(),
      );
      await page.unroute(call);
    }
    await close();
  });
}

const licence = {
  level: { id: "premium", name: "Premium" },
  type: "premium",
  active: true,
  disputed: false,
  redeemed_date: "2026-05-31T14:05:00.000Z",
  expiry_date: null,
  status: "active",
  payment_id: null,
};
const payment = {
  level: { id: "premium", name: "Premium" },
  status: "succeeded",
  failure_reason: null,
  payment_method: "card",
  license_key: "WISP-••••-••••-••••-C1PM",
  payment_id: null,
};

test("every column of the payments is in view on a computer, also of an order with several keys", async () => {
  const keys = ["WISP-61Y5-S1EE-BVJN-C1PM", "WISP-2K40-9XQT-7MHD-R8VA"];
  const order = {
    ...payment,
    id: "01a22bd3-b371-7d2e-9ed2-d2ed9c8a2fb9",
    created_at: "2026-11-30T10:10:00.000Z",
    license_key: keys[0],
    license_keys: keys,
    offer_name: "Wisp Premium",
    quantity: 2,
    renewal: false,
    bill: { currency: "usd", asked: 1000, off: 0, tax: 0, paid: 1000, refunded: 0, outside: 0, credit: 0 },
  };
  const { page, close } = await visitAs(ada, { viewport: widths.desktop });
  await page.route("**/api/payments", (route) =>
    route.fulfill({ json: { status: 200, data: [order], next: null } }),
  );
  await goTo(page, new URL("/dashboard/payments", stage.url).href);
  const panel = page.locator("[data-slot=table-container]");
  await panel.getByText("2 × Wisp Premium").waitFor();
  for (const width of [1440, 1280, 900]) {
    await page.setViewportSize({ width, height: 900 });
    await frames(page);
    const hidden = await panel.evaluate((element) => element.scrollWidth - element.clientWidth);
    expect([width, hidden]).toEqual([width, 0]);
  }
  await close();
});

test("the changelog takes at most 60% of the window, scrolls by keyboard and fades where more is below; on phones the page scrolls", async () => {
  await release(stage, "1.1.0", { content: "A line.\n".repeat(100) });
  const { page, close } = await visitAs(ada);
  await goTo(page, new URL("/dashboard", stage.url).href);
  const panel = page.getByRole("region", { name: "Changelog" });
  expect(await panel.evaluate((element) => element.clientHeight)).toBe(widths.desktop.height * 0.6);
  const fade = () => panel.evaluate((element) => getComputedStyle(element, "::after").opacity);
  expect(await fade()).toBe("1");
  await panel.focus();
  await page.keyboard.press("End");
  await page.waitForFunction(
    (element) =>
      element instanceof HTMLElement && element.scrollTop + element.clientHeight >= element.scrollHeight - 1,
    await panel.elementHandle(),
  );
  expect(await fade()).toBe("0");
  await page.setViewportSize(widths.phone);
  const hidden = await panel.evaluate((element) => element.scrollHeight - element.clientHeight);
  expect(hidden).toBe(0);
  await close();
});

test("a tooltip can be opened by tapping", async () => {
  const { page, close } = await visitAs(ada, {
    viewport: widths.phone,
    hasTouch: true,
    isMobile: true,
  });
  await goTo(page, new URL("/dashboard/download", stage.url).href);
  await page.getByRole("button", { name: "About updates on Mac" }).tap();
  await page.getByRole("tooltip", { name: "Auto updates are unsupported on Mac" }).waitFor();
  await close();
});
