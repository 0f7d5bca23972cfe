import { afterAll, expect, test } from "bun:test";
import { pages } from "@/web/pages";
import { openSignedOutSite } from "../support/shop/signed-out-site";
import { goTo, openBrowser, still } from "./browser";
import { waitUntilHydrated } from "./hydrated";

const browser = await openBrowser();
const site = await openSignedOutSite();
afterAll(() => site.close());

test("every public page hydrates without errors, policy violations or requests to other hosts", async () => {
  const watched = await open();
  for (const [path, { prerender }] of Object.entries(pages)) {
    if (!prerender) continue;
    await goTo(watched.page, new URL(path, site.url).href);
    await waitUntilHydrated(watched.page);
  }
  expect(watched.complaints).toEqual([]);
  expect(watched.violations).toEqual([]);
  expect([...watched.hosts]).toEqual([site.url.host]);
  await watched.page.close();
});

test("a style inserted by a script is refused", async () => {
  const { page, violations } = await open();
  await page.goto(site.url.href);
  const width = await page.evaluate(() => {
    const style = document.createElement("style");
    style.textContent = "body { border-bottom: 7px solid }";
    document.head.append(style);
    return getComputedStyle(document.body).borderBottomWidth;
  });
  expect(width).toBe("0px");
  await page.waitForFunction(() => document.documentElement.dataset.violations === "1");
  expect(violations).toEqual(["style-src-elem"]);
  await page.close();
});

test("a visitor's page makes no API call, even when it comes from the browser's cache", async () => {
  const { page, complaints } = await open();
  const asked: string[] = [];
  page.on("request", (request) => void asked.push(new URL(request.url()).pathname));
  const home = await goTo(page, site.url.href);
  expect(home?.status()).toBe(200);
  await goTo(page, new URL("/commands", site.url).href);
  await goTo(page, site.url.href);
  await page.locator('.account-link[data-known="true"]').waitFor();
  expect(asked.filter((path) => path.startsWith("/api/"))).toEqual([]);
  expect(complaints).toEqual([]);
  await page.close();
});

/** A page with its console complaints, policy violations and the hosts that it contacted. */
async function open() {
  const page = await browser.newPage(still);
  const complaints: string[] = [];
  const violations: string[] = [];
  const hosts = new Set<string>();
  page.on("console", (message) => {
    // Being signed out is an answer of 401, which Chromium logs as an error.
    const expected = message.text().includes("status of 401");
    const loud = message.type() === "error" || message.type() === "warning";
    if (loud && !expected) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => hosts.add(new URL(request.url()).host));
  await page.exposeFunction("violated", (directive: string) => violations.push(directive));
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) => {
      const violated: unknown = Reflect.get(window, "violated");
      if (typeof violated !== "function") return;
      const reported: unknown = violated(event.effectiveDirective);
      void Promise.resolve(reported).then(() => (document.documentElement.dataset.violations = "1"));
    });
  });
  return { page, complaints, violations, hosts };
}
