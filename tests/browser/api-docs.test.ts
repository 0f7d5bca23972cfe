import { afterAll, beforeAll, expect, test } from "bun:test";
import { openStage, type Stage } from "../support/shop/stage";
import { openBrowser, still } from "./browser";

let stage: Stage;
beforeAll(async () => void (stage = await openStage()));
afterAll(() => stage[Symbol.asyncDispose]());

test("the API's page opens a call that a link names, and finds calls by any of their words", async () => {
  await using at = await open("/api/docs#get-api-user-me", { width: 1440, height: 900 });
  const { page, call, wrong } = at;
  await call("/api/user/me").getByText("Who may call: a signed-in account").waitFor();
  await call("/api/user/me").getByText('"ada@example.com"').waitFor();
  expect(await page.getByRole("button", { name: /Authorize|Try it out/ }).count()).toBe(0);
  await page.getByPlaceholder("Filter by").fill("REQUEST to use this");
  await call("/api/user/me").waitFor({ state: "hidden" });
  await call("/api/user/email/decline").waitFor();
  expect(wrong).toEqual([]);
});

test("on a phone the API's page fits, is dark as the system is, and unfolds the refusals for their link", async () => {
  await using at = await open("/api/docs#refusals", { width: 360, height: 740 });
  const { page, wrong } = at;
  await page.getByText("rate_limited", { exact: true }).waitFor();
  const drawn = await page.evaluate(() => [
    getComputedStyle(document.documentElement).backgroundColor,
    document.documentElement.scrollWidth - innerWidth,
  ]);
  expect(drawn).toEqual(["rgb(28, 32, 34)", 0]);
  expect(wrong).toEqual([]);
});

/** A page in a system with a dark theme, and what its console reports or another host is asked. */
async function open(path: string, viewport: { width: number; height: number }) {
  const browser = await openBrowser();
  const context = await browser.newContext({ ...still, colorScheme: "dark", viewport });
  const page = await context.newPage();
  const wrong: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) wrong.push(message.text());
  });
  page.on("pageerror", (error) => void wrong.push(error.message));
  page.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol !== "data:" && origin !== stage.url.origin) wrong.push(request.url());
  });
  await page.goto(new URL(path, stage.url).href);
  await page.locator(".opblock-tag").first().waitFor();
  const call = (name: string) =>
    page.locator(".opblock", { has: page.locator(`[data-path="${name}"]`) }).first();
  return { page, call, wrong, [Symbol.asyncDispose]: () => context.close() };
}
