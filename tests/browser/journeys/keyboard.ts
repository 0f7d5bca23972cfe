/** What a customer does, by keyboard alone: the focus is seen at every step, and goes the way that the eye goes. */
import { afterAll, expect } from "bun:test";
import { generate } from "otplib";
import type { Page } from "playwright-core";
import { minute } from "@/contract/vocabulary/time";
import { openDesk } from "../../support/people/tickets";
import { release } from "../../support/shop/publish-release";
import { inBrowser } from "../../support/shop/shop-in-browser";
import { byKeyboard } from "../by-keyboard";
import { openBrowser, payAtStripe, signIn, type sizes, still, goTo } from "../browser";
import { waitUntilHydrated } from "../hydrated";

type Size = (typeof sizes)[number];

const browser = await openBrowser();
const stage = await openDesk(inBrowser({ env: { LIMITS: "register-success=1000/60,own=1000/60" } }));
afterAll(() => stage[Symbol.asyncDispose]());
await release(stage, "1.0.0", { content: "One thing." });

const password = "a long enough phrase";
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
const dialogOf = (page: Page) => page.getByRole("dialog");

export async function buyAndRegister(size: Size) {
  const { page, keys, to, close } = await visitByKeyboard(size);
  await to("/");
  for (const name of ["Send as a gift", "Buy more than one"]) {
    const door = page.getByRole("link", { name });
    await keys.choose(door);
    await keys.goRound(dialogOf(page), door);
  }
  await to("/");
  await keys.choose(button(page, "Purchase Premium"));
  await payAtStripe(page, `stranger-${size.width}@example.com`);
  await page.getByRole("heading", { level: 1, name: "Payment Verified" }).waitFor();
  await keys.choose(page.getByRole("link", { name: "Register" }));
  await keys.fill(page.getByLabel("Username"), `stranger-${size.width}`);
  await keys.fill(page.getByLabel("Password", { exact: true }), password);
  await keys.choose(button(page, "Register"));
  await page.waitForURL("**/dashboard");
  await close();
}

export async function twoFactor(size: Size) {
  const name = `bea-${size.width}`;
  const { page, keys, to, close } = await visitByKeyboard(size, name);
  await to("/dashboard/settings");
  await keys.walkThrough(page.locator("main"));
  const enable = button(page, "Enable two-factor");
  await keys.choose(enable);
  const its = dialogOf(page).getByLabel("Password", { exact: true });
  await its.waitFor();
  await keys.goRound(dialogOf(page), enable);
  await page.keyboard.press("Enter");
  await keys.fill(its, password);
  await keys.choose(button(page, "Continue"));
  await page.getByAltText("QR code").waitFor();
  const secret = ((await page.locator("code").textContent()) ?? "").replaceAll(" ", "");
  await keys.tabTo(dialogOf(page).getByLabel("Digit 1 of 6"));
  await page.keyboard.type(await codeOf(secret));
  await keys.choose(page.getByLabel("I have saved these codes"), "Space");
  await keys.choose(button(page, "Done"));
  const disable = button(page, "Disable two-factor");
  await disable.waitFor();
  await dialogOf(page).waitFor({ state: "detached" });
  // the button that opened the dialog is gone
  expect(await page.locator("main :focus").count()).toBe(1);
  await keys.choose(disable);
  await keys.goRound(dialogOf(page), disable);

  await page.context().clearCookies();
  // the step that enabled it is used up
  stage.advance(minute);
  await to("/login");
  await keys.fill(page.getByLabel("Username"), name);
  await keys.fill(page.getByLabel("Password", { exact: true }), password);
  await keys.choose(button(page, "Login"));
  await page.locator('[aria-label="Digit 1 of 6"]:focus').waitFor();
  await page.keyboard.type(await codeOf(secret));
  await page.waitForURL("**/dashboard");
  await close();
}

export async function downloadAndMenu(size: Size) {
  const { page, keys, to, close } = await visitByKeyboard(size, `dan-${size.width}`);
  await to("/dashboard/download");
  const fetched = page.waitForEvent("download");
  await keys.choose(page.getByRole("link", { name: /AppImage/ }).first());
  expect((await fetched).suggestedFilename()).toEndWith(".AppImage");
  await keys.choose(page.locator("summary", { hasText: "If your system warns you" }));
  await keys.walkThrough(page.locator("main"));

  await to("/dashboard");
  const menu = button(page, /account menu|dan-/i);
  for (const round of ["whose code comes late", "that is there"]) {
    await keys.choose(menu);
    await page.locator("[role=menuitem]:focus", { hasText: "Settings" }).waitFor();
    await keys.press("ArrowDown");
    expect(`${round}: ${await page.locator(":focus").innerText()}`).toBe(`${round}: License`);
    await page.keyboard.press("Escape");
    await page.waitForFunction((one) => one === document.activeElement, await menu.elementHandle());
  }
  if (size.width < 1024) {
    const opener = button(page, "Open navigation");
    await to("/dashboard");
    await keys.choose(opener);
    await keys.goRound(dialogOf(page), opener);
  }
  await close();
}

export async function ticket(size: Size) {
  const { page, keys, to, close } = await visitByKeyboard(size, `tess-${size.width}`);
  await to("/dashboard/tickets");
  await keys.choose(page.getByRole("link", { name: "New ticket" }));
  await keys.choose(button(page, "Device"));
  await keys.fill(page.getByRole("textbox"), "It says no since the update");
  await keys.choose(button(page, "Send"));
  await page.getByRole("heading", { name: /^Ticket #/ }).waitFor();
  await keys.fill(page.getByRole("textbox", { name: "Your message" }), "It works now");
  await page.keyboard.press("Control+Enter");
  await page.getByRole("log").getByText("It works now").waitFor();
  await keys.walkThrough(page.locator("main"));
  const closer = button(page, "Close ticket");
  await keys.choose(closer);
  await keys.goRound(dialogOf(page), closer);
  await page.keyboard.press("Enter");
  await keys.choose(dialogOf(page).getByRole("button", { name: "Close ticket" }));
  await page.getByText("How did we do?").waitFor();
  await keys.tabTo(page.getByRole("radio", { name: "1 star" }));
  for (let presses = 0; presses < 4; presses++) await keys.press("ArrowRight");
  await keys.choose(button(page, "Send rating"));
  await page.getByText("Thank you.").waitFor();
  await close();
}

/** What the authenticator shows now by the shop's clock. */
const codeOf = (secret: string) => generate({ secret, epoch: Math.floor(stage.ctx.now().getTime() / 1000) });

/** A page in a window of that size, of somebody who has just registered if they are named. */
export async function visitByKeyboard(viewport: Size, name?: string) {
  const context = await browser.newContext({ ...still, viewport });
  if (name) {
    const person = stage.person();
    expect((await person.register(await stage.handOut(), name, password)).status).toBe(200);
    await signIn(context, person, stage.url);
  }
  const page = await context.newPage();
  const keys = byKeyboard(page);
  const wrong: string[] = [];
  page.on("pageerror", (error) => void wrong.push(error.message));
  const to = async (path: string) => {
    await goTo(page, new URL(path, stage.url).href);
    await waitUntilHydrated(page);
    await page.locator("h1").first().waitFor();
  };
  const close = async () => {
    expect({ faults: keys.faults, wrong }).toEqual({ faults: [], wrong: [] });
    await context.close();
  };
  return { page, keys, to, close };
}
