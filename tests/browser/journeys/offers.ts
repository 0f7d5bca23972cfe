/** What somebody who buys does, in a browser of their own. */
import type { Page } from "playwright-core";
import type { Stage } from "../../support/shop/stage";
import { findingsAtBothWidths, payAtStripe } from "../browser";
import { visit } from "../visit";

export const wholeKey = /WISP(-[0-9A-Z]{4}){4}/;
export const why = ["--reason", "a story"];
/** A separate browser, and everything that violated a page's policy, failed in its code or was too wide. */
export async function visitor(stage: Stage) {
  const { page, wrong, close } = await visit(stage.url);
  page.on("console", (message) => {
    const ours = message.location().url.startsWith(stage.url.origin);
    if (ours && message.type() === "error") wrong.push(message.text());
  });
  return {
    page,
    to: (path: string) => page.goto(new URL(path, stage.url).href),
    close,
    /** Looks for what axe finds and what is too wide, on a phone and on a computer. */
    look: async () => wrong.push(...(await findingsAtBothWidths(page))),
  };
}

/** The offers are fetched when the page is scrolled near them. */
export const scrollToOffers = (page: Page) =>
  page.getByRole("button", { name: "Purchase Premium" }).scrollIntoViewIfNeeded();
export const purchase = (page: Page) => page.getByRole("button", { name: "Purchase Premium" }).click();
export const proceed = (page: Page) => page.getByRole("button", { name: "Continue to checkout" }).click();
export const bill = (page: Page) => page.getByRole("region", { name: "Bill" }).locator("dl");

/** Pays on the payment provider's page, which needs no card where nothing is due. */
export async function pay(page: Page, email?: string, free = false) {
  await payAtStripe(page, email, free ? "nothing is due" : "card");
  await page.getByRole("heading", { name: "Payment Verified" }).waitFor();
}

export async function register(page: Page, username: string, filled: { email?: string; key?: string } = {}) {
  await page.getByLabel("Username").fill(username);
  if (filled.email) await page.getByLabel("Email").fill(filled.email);
  await page.getByLabel("Password", { exact: true }).fill("a long enough phrase");
  if (filled.key) await page.getByLabel("License key", { exact: true }).fill(filled.key);
  await page.getByRole("button", { name: "Register" }).click();
  await page.waitForURL("**/dashboard");
}

export const licences = (page: Page) => page.getByRole("table", { name: "Licenses" });
