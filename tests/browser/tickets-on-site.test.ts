import { expect, test } from "bun:test";
import { customer } from "../support/people/discord";
import { openDesk, waitForTicket } from "../support/people/tickets";
import { inBrowser } from "../support/shop/shop-in-browser";
import { axeFindings, sizes } from "./browser";
import { visit } from "./visit";

test("a customer asks, sends a file, reads the answer as it comes, answers, closes and rates, at every width", async () => {
  await using stage = await openDesk(inBrowser());
  const { person } = await customer(stage, "ada");
  const { page, wrong, close } = await visit(stage.url, { person, viewport: sizes[0] });
  const look = async (what: string) => {
    wrong.push(...(await axeFindings(page)).map((one) => `${what}: ${one}`));
    for (const size of [...sizes].toReversed()) {
      await page.setViewportSize(size);
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (over > 0) wrong.push(`${what} at ${size.width}: ${over} px too wide`);
    }
  };

  await page.goto(new URL("/dashboard/tickets", stage.url).href);
  await page.getByText("No tickets yet").waitFor();
  await look("empty");
  await page.getByRole("link", { name: "New ticket" }).click();
  await page.getByRole("button", { name: "Device" }).click();
  await page.getByRole("textbox").fill("It says no since the update");
  await look("new");
  await page
    .locator("input[type=file]")
    .setInputFiles({ name: "log.txt", mimeType: "text/plain", buffer: Buffer.from("line") });
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByRole("heading", { name: "Ticket #1" }).waitFor();
  await page.getByRole("link", { name: "log.txt" }).waitFor();

  const field = page.getByRole("textbox", { name: "Your message" });
  await field.fill("I am still typ");
  const { thread_id: thread } = await waitForTicket(stage, ({ card_id }) => Boolean(card_id));
  await stage.atDiscord("messages", { user: "sam", channel: thread, content: "Please try 2.4.1" });
  await page.getByText("Please try 2.4.1").waitFor();
  expect(await field.inputValue()).toBe("I am still typ");
  await look("conversation");
  await field.fill("That works");
  await field.press("Control+Enter");
  await page.getByRole("log").getByText("That works").waitFor();
  expect(await field.inputValue()).toBe("");
  // the newest message is in view, above the composer that stays
  await page.waitForFunction(() => {
    const message = [...document.querySelectorAll("[role=log] li")].at(-1)?.getBoundingClientRect();
    const composer = document.querySelector("form:has(textarea)")?.getBoundingClientRect();
    return message && composer && message.top > 56 && message.bottom <= composer.top + 1;
  });
  await page.getByRole("button", { name: "Close ticket" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Close ticket" }).click();
  await page.getByText(/^Closed by you/).waitFor();
  await page.getByText("How did we do?").waitFor();
  await page.locator("label:has(input[type=radio])").nth(4).click();
  await page.getByRole("textbox").fill("Quick");
  await page.getByRole("button", { name: "Send rating" }).click();
  await page.getByText("Thank you.").waitFor();
  await look("closed");
  await page.getByRole("link", { name: "Back to my tickets" }).click();
  await page.getByRole("link", { name: /^#1 Device/ }).waitFor();
  await look("list");
  await close();
});
