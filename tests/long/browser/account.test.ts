import { afterAll, expect, test } from "bun:test";
import type { BrowserContextOptions, Page } from "playwright-core";
import { openShop } from "../../support/shop/shop-in-browser";
import { findingsAtBothWidths, typePassword } from "../../browser/browser";
import { visit } from "../../browser/visit";

// every test has its own account, registered from the same address
const stage = await openShop({ discord: true, env: { LIMITS: "register-success=1000/60" } });
afterAll(() => stage[Symbol.asyncDispose]());

/** A browser in which somebody has just registered. */
async function as(name: string, options: BrowserContextOptions = {}) {
  const person = stage.person();
  expect((await person.register(await stage.handOut(), name)).status).toBe(200);
  return visit(stage.url, { person, ...options });
}

const button = (page: Page, name: string) => page.getByRole("button", { name });

test("tabs slide for 400 ms, or not at all with reduced motion", async () => {
  const { page, to, close } = await as("emil", { reducedMotion: "no-preference" });
  await page.addInitScript(keepSlides);
  const slideTo = async (name: string) => {
    await page.getByRole("tab", { name }).click();
    const slid = await page.waitForFunction(() => document.documentElement.dataset["slid"]);
    await page.evaluate(() => delete document.documentElement.dataset["slid"]);
    return Number(await slid.jsonValue());
  };
  await to("/dashboard/account");
  expect(await slideTo("Security")).toBe(400);
  await page.waitForURL("**/dashboard/account#security");
  await page.emulateMedia({ reducedMotion: "reduce" });
  await to("/dashboard/account#details");
  expect(await slideTo("License")).toBeLessThan(1);
  await close();
});

/** Runs in the page: keeps in `data-slid` how many milliseconds the last view transition takes. */
function keepSlides() {
  const start = document.startViewTransition.bind(document);
  document.startViewTransition = (update) => {
    const transition = start(update);
    const keep = () => {
      const running = document
        .getAnimations()
        .map(({ effect }) => effect)
        .filter((effect) => effect instanceof KeyframeEffect)
        .filter((effect) => effect.pseudoElement?.startsWith("::view-transition-new"));
      const durations = running.map((effect) => Number(effect.getComputedTiming().duration));
      document.documentElement.dataset["slid"] = String(Math.max(0, ...durations));
    };
    void transition.ready.then(keep);
    return transition;
  };
}

test("axe finds nothing on the account's screens and dialogs, and nothing is wider than the screen", async () => {
  const { page, to, close } = await as("fred");
  const found: string[] = [];
  const look = async (what: string) => found.push(...(await findingsAtBothWidths(page, what)));
  for (const tab of ["details", "security", "license", "payments", "hwid"]) {
    await page.goto("about:blank");
    await to(`/dashboard/account#${tab}`);
    await look(tab);
  }
  for (const tab of ["security", "appearance", "data"]) {
    await page.goto("about:blank");
    await to(`/dashboard/settings#${tab}`);
    await look(`settings, ${tab}`);
  }
  await button(page, "Delete account").click();
  await look("Delete account");
  await page.keyboard.press("Escape");
  await to("/dashboard/settings");
  await look("settings");
  await button(page, "Edit").click();
  await look("editing");
  await button(page, "Set up an offline computer").click();
  await look("an offline computer");
  for (const opener of ["Change Password", "Enable two-factor"]) {
    await button(page, opener).click();
    if (opener.startsWith("Enable")) {
      await look("the password");
      await typePassword(page, "a long enough phrase");
      await page.getByAltText("QR code").waitFor();
    }
    await look(opener);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  }
  await to("/dashboard/discord-callback?error=access_denied");
  await page.getByRole("heading", { name: "Access Denied" }).waitFor();
  await look("callback");
  await to("/confirm-email#some.token");
  await look("confirm");
  expect(found).toEqual([]);
  await close();
});
