/** A window of 1440 × 900 px at a zoom of 400 %, which WCAG 1.4.10 asks for: 360 × 225 px remain. */
import { afterAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { member } from "../stories/accounts/people";
import { openShop } from "../support/shop/shop-in-browser";
import { waitForAnimations } from "./browser";
import { visit } from "./visit";

const stage = await openShop({ env: { LIMITS: "register-success=1000/60" } });
afterAll(() => stage[Symbol.asyncDispose]());

const viewport = { width: 360, height: 225 };

/** How many pixels of what scrolls remain when what stays in place is taken off. */
async function roomIn(page: Page, within: string): Promise<number> {
  await waitForAnimations(page);
  return page.evaluate((selector) => {
    const root = document.querySelector(selector);
    if (!root) throw new Error(`no ${selector}`);
    const all = [root, ...root.querySelectorAll("*")];
    const scrollers = all.filter((one) => one.scrollHeight > one.clientHeight + 1 && one.clientHeight > 0);
    const scrolls = (one: Element) =>
      one === document.documentElement || getComputedStyle(one).overflowY === "auto";
    const heights = scrollers.filter(scrolls).map((one) => Math.min(one.clientHeight, innerHeight));
    const stuck = all
      .filter(
        (one) => /sticky|fixed/.test(getComputedStyle(one).position) && one !== root && one.checkVisibility(),
      )
      .map((one) => one.getBoundingClientRect().height);
    return Math.max(0, ...heights) - stuck.reduce((sum, height) => sum + height, 0);
  }, within);
}

test("the order and the legal texts can be read and filled in", async () => {
  const { page, to, close } = await visit(stage.url, { viewport });
  await to("/?gift");
  const email = page.getByRole("dialog").getByLabel("Their email");
  await email.waitFor();
  expect(await roomIn(page, "[role=dialog]")).toBeGreaterThan(150);
  const [dialog, field] = await Promise.all([page.getByRole("dialog").boundingBox(), email.boundingBox()]);
  expect(field?.y).toBeGreaterThanOrEqual(dialog?.y ?? NaN);
  await page.getByLabel("Message").fill("For your birthday");
  await page.getByRole("button", { name: "Purchase gift" }).click();
  await page.getByText("Enter an email address").waitFor();
  await to("/tos");
  await page.getByRole("dialog").waitFor();
  expect(await roomIn(page, ".legal-dialog")).toBeGreaterThan(150);
  await page.getByRole("button", { name: "Confirm" }).click();
  await page.waitForURL(stage.url.href);
  await close();
});

test("above an on-screen keyboard, the order's fields have all of the dialog", async () => {
  const { page, to, close } = await visit(stage.url, { viewport: { width: 360, height: 380 } });
  await to("/?gift");
  await page.getByRole("dialog").getByLabel("Their email").waitFor();
  expect(await roomIn(page, "[role=dialog]")).toBeGreaterThan(300);
  await close();
});

test("a ticket's messages keep their room", async () => {
  const person = await member(stage, "ada");
  const { body } = await person.post("/api/tickets", { topic: "device", question: "Why?\n".repeat(20) });
  const { page, to, close } = await visit(stage.url, { viewport, person });
  await to(`/dashboard/ticket?id=${body.data.id}`);
  await page.getByRole("log").waitFor();
  expect(await roomIn(page, "html")).toBeGreaterThan(150);
  await close();
});
