import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { createSite } from "@/serving/site";
import { pages } from "@/web/pages";
import { findChromium } from "../chromium";

let browser: Browser;
let server: Bun.Server<undefined>;
beforeAll(async () => {
  const cacheDir = join(import.meta.dir, "../../.cache/site");
  const site = await createSite({ publicUrl: new URL("http://localhost"), cacheDir });
  const signedOut = () => Response.json({ status: 401, data: "Sign in first" }, { status: 401 });
  server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    routes: { "/api/*": signedOut },
    fetch: (request) => site.respond(request),
  });
  browser = await chromium.launch({ executablePath: findChromium(), args: ["--no-sandbox"] });
});
afterAll(async () => {
  await browser.close();
  await server.stop(true);
});

test("every public page comes alive without a complaint, a violation or another host", async () => {
  const watched = await open();
  for (const [path, { prerender }] of Object.entries(pages)) {
    if (!prerender) continue;
    await watched.page.goto(new URL(path, server.url).href, { waitUntil: "networkidle" });
    await comesAlive(watched.page);
  }
  expect(watched.complaints).toEqual([]);
  expect(watched.violations).toEqual([]);
  expect([...watched.hosts]).toEqual([server.url.host]);
  await watched.page.close();
});

test("the page's nonce lets a style in, and nothing else does", async () => {
  const { page, violations } = await open();
  await page.goto(server.url.href);
  const widths = await page.evaluate(() => {
    const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce;
    const insert = (css: string, allowed: boolean) => {
      const style = document.createElement("style");
      if (allowed && nonce) style.nonce = nonce;
      style.textContent = css;
      document.head.append(style);
    };
    insert("body { border-top: 7px solid }", true);
    insert("body { border-bottom: 7px solid }", false);
    const { borderTopWidth, borderBottomWidth } = getComputedStyle(document.body);
    return [borderTopWidth, borderBottomWidth];
  });
  expect(widths).toEqual(["7px", "0px"]);
  await page.waitForFunction(() => document.documentElement.dataset.violations === "1");
  expect(violations).toEqual(["style-src-elem"]);
  await page.close();
});

test("an unknown address shows that it is one, and leads home", async () => {
  const { page } = await open();
  const answer = await page.goto(new URL("/no-such-page", server.url).href, { waitUntil: "networkidle" });
  expect(answer?.status()).toBe(404);
  await page.getByText("Page does not exist").waitFor();
  await page.getByRole("link", { name: "Go Home" }).click();
  await page.waitForURL(server.url.href);
  await page.waitForFunction((title) => document.title === title, pages["/"].title);
  await page.close();
});

/** A page, what its console complained of, what its policy refused, and whom it asked. */
async function open() {
  const page = await browser.newPage();
  const complaints: string[] = [];
  const violations: string[] = [];
  const hosts = new Set<string>();
  page.on("console", (message) => {
    // Being signed out is an answer of 401, which Chromium writes down as an error.
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
      const told: unknown = violated(event.effectiveDirective);
      void Promise.resolve(told).then(() => (document.documentElement.dataset.violations = "1"));
    });
  });
  return { page, complaints, violations, hosts };
}

/** Waits until React has taken the markup over. */
async function comesAlive(page: Page) {
  await page.waitForFunction(() => {
    const first = document.querySelector("#root")?.firstElementChild;
    return Object.keys(first ?? {}).some((key) => key.startsWith("__react"));
  });
}
