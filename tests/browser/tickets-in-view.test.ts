/** What a customer sees of a long ticket: its end. */
import { afterAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import sharp from "sharp";
import { member } from "../stories/accounts/people";
import { openShop } from "../support/shop/shop-in-browser";
import { sizes } from "./browser";
import { visit } from "./visit";

const stage = await openShop({ env: { LIMITS: "register-success=1000/60" } });
afterAll(() => stage[Symbol.asyncDispose]());

const picture = await sharp({ create: { width: 600, height: 900, channels: 3, background: "#7f74e2" } })
  .png()
  .toBuffer();

/** Whether the newest message is whole, or as much of it as there is room for, above the composer. */
const untilEndIsInView = (page: Page) =>
  page.waitForFunction(() => {
    const message = [...document.querySelectorAll("[role=log] li")].at(-1)?.getBoundingClientRect();
    const composer = document.querySelector("form:has(textarea)")?.getBoundingClientRect();
    const pictures = [...document.querySelectorAll<HTMLImageElement>("[role=log] li:last-child img")];
    if (!message || !composer || !pictures.every((one) => one.complete && one.naturalHeight > 0))
      return false;
    return message.bottom > 56 && message.bottom <= composer.top + 1;
  });

for (const viewport of [sizes[0], sizes[2]]) {
  test(`the newest message is in view though pictures come late, and so is one's own, at ${viewport.width} px`, async () => {
    const person = await member(stage, `ada-${viewport.width}`);
    const { page, to, close } = await visit(stage.url, { person, viewport });
    page.setDefaultTimeout(10_000);
    await to("/dashboard/tickets?new");
    await page.getByRole("button", { name: "Device" }).click();
    await page.getByRole("textbox").fill("It looks like this");
    await page
      .locator("input[type=file]")
      .setInputFiles([1, 2].map((at) => ({ name: `${at}.png`, mimeType: "image/png", buffer: picture })));
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByRole("log").getByRole("img", { name: "2.png" }).waitFor();
    const address = page.url();

    // pictures arrive long after the words
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route("**/files/*", async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(address);
    await page.getByRole("log").waitFor();
    release();
    await untilEndIsInView(page);

    const send = async (words: string) => {
      await page.getByRole("textbox", { name: "Your message" }).fill(words);
      await page.keyboard.press("Control+Enter");
      await page.getByRole("log").getByText(words).waitFor();
    };
    await send("Do you see it?");
    await untilEndIsInView(page);
    await page.evaluate(() => scrollTo({ top: 0 }));
    await page.waitForFunction(() => scrollY === 0);
    await send("I looked at the first one again");
    await untilEndIsInView(page);

    // who reads above is left there
    await page.evaluate(() => scrollTo({ top: 0 }));
    await page.waitForFunction(() => scrollY === 0);
    await page.evaluate(() => {
      const shown = document.querySelector<HTMLElement>("[role=log] img");
      if (shown) shown.style.height = "20px";
    });
    await page.getByRole("log").getByText("It looks like this").waitFor();
    expect(await page.evaluate(() => scrollY)).toBe(0);

    // who closes it sees how it ended
    await page.getByRole("button", { name: "Close ticket" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Close ticket" }).click();
    await page.getByRole("button", { name: "Reopen" }).waitFor();
    await page.waitForFunction(() => {
      const { activeElement: focused } = document;
      const { top, bottom } = focused?.getBoundingClientRect() ?? { top: 0, bottom: 0 };
      const isEnding = focused?.textContent?.startsWith("Closed by you") === true;
      return isEnding && top > 56 && bottom <= innerHeight;
    });
    await close();
  });
}
