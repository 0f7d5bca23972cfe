import { afterAll, expect, test } from "bun:test";
import type { BrowserContextOptions } from "playwright-core";
import { day } from "@/contract/time";
import { pages } from "@/web/pages";
import { openShop } from "../support/shop/shop-in-browser";
import type { Person } from "../support/people/person";
import { release } from "../support/shop/publish-release";
import { byKeyboard } from "./by-keyboard";
import { addUpShifts, axeFindings, openBrowser, signIn } from "./browser";
import { waitUntilHydrated } from "./hydrated";

const widths = { phone: { width: 360, height: 740 }, desktop: { width: 1440, height: 900 } };
const loading = { phone: widths.phone, tablet: { width: 768, height: 1024 }, desktop: widths.desktop };
const locked = "You must have an active license to visit the download page";

const browser = await openBrowser();

const stage = await openShop({ discord: true, env: { LIMITS: "register-success=1000/60" } });
afterAll(() => stage[Symbol.asyncDispose]());

/** A customer who bought and redeemed a key, and a release to download. */
const ada = stage.person();
await release(stage, "1.0.0", { content: "One thing.\nAnother." });
await ada.register((await stage.buy()).key, "ada");
const intent: string = (await ada.get("/api/payments")).body.data[0].payment_id;

for (const [size, viewport] of Object.entries(loading)) {
  test(`on a ${size} every page of the dashboard loads without a layout shift, a console message, a policy violation or an axe finding`, async () => {
    const { page, slowly, close } = await visit(ada, { viewport });
    await slowly();
    for (const path of Object.keys(pages).filter((path) => path.startsWith("/dashboard"))) {
      const query = path === "/dashboard/transaction" ? `?payment_intent=${intent}` : "";
      await page.goto(new URL(path + query, stage.url).href, { waitUntil: "networkidle" });
      await page.locator("main h1, main h2").first().waitFor();
      const shift = await page.evaluate(() => Number(document.documentElement.dataset.shift ?? 0));
      const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect([path, await axeFindings(page), shift <= 0.02 || shift, sideways]).toEqual([path, [], true, 0]);
    }
    await close();
  });
}

test("the home page uses what was asked along with its scripts, and asks for nothing twice", async () => {
  const { page, close } = await visit(ada);
  const asked: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith("/api/")) asked.push(pathname);
  });
  const answer = await page.goto(new URL("/dashboard", stage.url).href, { waitUntil: "networkidle" });
  await page.getByRole("region", { name: "License status" }).waitFor();
  const early = [...(answer?.headers()["link"] ?? "").matchAll(/<([^>]+)>/g)].map(([, call = ""]) => call);
  expect(early).toContain("/api/user/me");
  expect(asked.filter((call) => early.includes(call)).toSorted()).toEqual(early.toSorted());
  expect(asked).toEqual([...new Set(asked)]);
  await close();
});

for (const [size, viewport] of Object.entries(widths)) {
  test(`on a ${size} lists of licences, payments and tickets scroll at 60 % of the viewport's height`, async () => {
    const { page, close } = await visit(ada, { viewport });
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
      await page.goto(new URL(path, stage.url).href, { waitUntil: "networkidle" });
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
  type: "premium",
  active: true,
  disputed: false,
  redeemed_date: "2026-05-31T14:05:00.000Z",
  expiry_date: null,
  status: "active",
  payment_id: null,
};
const payment = {
  status: "succeeded",
  failure_reason: null,
  payment_method: "card",
  license_key: "WISP-••••-••••-••••-C1PM",
  payment_id: null,
};

test("the palette traps focus, passes axe, and restores focus", async () => {
  const { page, close } = await visit(ada);
  await page.goto(new URL("/dashboard", stage.url).href, { waitUntil: "networkidle" });
  await waitUntilHydrated(page);
  const opener = page.getByRole("button", { name: /^Search/ });
  await opener.focus();
  await page.keyboard.press("Control+k");
  const field = page.getByRole("combobox", { name: "Search pages and commands" });
  await field.waitFor();
  expect(await axeFindings(page)).toEqual([]);
  const keys = byKeyboard(page);
  await keys.goRound(page.locator("dialog[open]"), opener);
  expect(keys.faults).toEqual([]);
  await page.keyboard.press("Control+k");
  await field.fill("purge");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/commands#purge");
  await close();
});

test("a file's link downloads it in a new tab", async () => {
  const { page, close } = await visit(ada);
  await page.goto(new URL("/dashboard/download", stage.url).href, { waitUntil: "networkidle" });
  expect(await page.getByRole("region", { name: "Linux" }).getAttribute("data-own")).toBe("true");
  const fetched = page.waitForEvent("download");
  await page.getByRole("link", { name: /Windows Installer/ }).click();
  expect((await fetched).suggestedFilename()).toBe("Wisp-Setup.exe");
  expect(page.url()).toEndWith("/dashboard/download");
  await close();
});

test("the changelog takes at most 60% of the window and scrolls by keyboard", async () => {
  await release(stage, "1.1.0", { content: "A line.\n".repeat(100) });
  const { page, close } = await visit(ada);
  await page.goto(new URL("/dashboard", stage.url).href, { waitUntil: "networkidle" });
  const panel = page.getByRole("region", { name: "Changelog" });
  expect(await panel.evaluate((element) => element.clientHeight)).toBe(widths.desktop.height * 0.6);
  await panel.focus();
  await page.keyboard.press("End");
  await page.waitForFunction(
    (element) => element !== null && element.scrollTop > 0,
    await panel.elementHandle(),
  );
  await close();
});

test("a tooltip can be opened by tapping", async () => {
  const { page, close } = await visit(ada, {
    viewport: widths.phone,
    hasTouch: true,
    isMobile: true,
  });
  await page.goto(new URL("/dashboard/download", stage.url).href, { waitUntil: "networkidle" });
  await page.getByRole("button", { name: "About updates on Mac" }).tap();
  await page.getByRole("tooltip", { name: "Auto updates are unsupported on Mac" }).waitFor();
  await close();
});

test("printing a transaction prints only its receipt", async () => {
  const { page, close } = await visit(ada);
  const address = `/dashboard/transaction?payment_intent=${intent}`;
  await page.goto(new URL(address, stage.url).href, { waitUntil: "networkidle" });
  await page.getByRole("region", { name: "Payment" }).waitFor();
  const seen = async () => ({
    receipt: await page.getByRole("article", { name: "Receipt" }).isVisible(),
    page: await page.getByRole("region", { name: "Payment" }).isVisible(),
    header: await page.locator("header").first().isVisible(),
    navigation: await page.locator("#sidebar").isVisible(),
  });
  expect(await seen()).toEqual({ receipt: false, page: true, header: true, navigation: true });
  await page.emulateMedia({ media: "print" });
  expect(await seen()).toEqual({ receipt: true, page: false, header: false, navigation: false });
  expect(await page.locator("main").innerText()).toContain("USD 5.00");
  await close();
});

test("a download without a licence leads to the dashboard, which says why", async () => {
  const person = stage.person();
  await person.register(await stage.handOut(1), "tim");
  // last, because it moves everybody's clock
  stage.advance(2 * day);
  const { page, close } = await visit(person);
  for (const path of ["/api/download", "/dashboard/download"]) {
    await page.goto(new URL(path, stage.url).href);
    await page.locator("[data-sonner-toast]", { hasText: locked }).waitFor();
    await page.waitForURL(new URL("/dashboard", stage.url).href);
  }
  await close();
});

/** A page signed in as somebody; closing it asserts no console message, no violation and no other host. */
async function visit(person: Person, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ viewport: widths.desktop, ...options });
  await signIn(context, person, stage.url);
  const page = await context.newPage();
  const complaints: string[] = [];
  const strangers: string[] = [];
  page.on("console", (message) => {
    const text = message.text();
    // what a busy machine draws late is used all the same: a test of the home page counts the calls
    if (text.includes("was preloaded using link preload but not used within a few seconds")) return;
    if (message.type() === "error" || message.type() === "warning") complaints.push(text);
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => {
    const { host, protocol } = new URL(request.url());
    if (protocol.startsWith("http") && host !== stage.url.host) strangers.push(host);
  });
  await page.addInitScript(addUpShifts);
  return {
    page,
    /** Delays every call, so that the skeletons are seen. */
    slowly: () =>
      page.route("**/api/**", async (route) => {
        await Bun.sleep(150);
        await route.continue();
      }),
    close: async () => {
      await context.close();
      expect({ complaints, strangers }).toEqual({ complaints: [], strangers: [] });
    },
  };
}
