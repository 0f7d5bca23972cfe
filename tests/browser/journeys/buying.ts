/** What a buyer sees, at any width. */
import { afterAll, expect } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { openShop } from "../../support/shop/shop-in-browser";
import { addUpShifts, axeFindings, payAtStripe, shiftOf, signIn, type sizes } from "../browser";
import { visit } from "../visit";

const stage = await openShop({ env: { LIMITS: "register-success=1000/60,checkout=1000/60,verify=1000/60" } });
afterAll(() => stage[Symbol.asyncDispose]());

export type Size = (typeof sizes)[number];

/** A browser of that size; closing it fails if something failed, was found by axe, was too wide or moved. */
async function visitor(size: Size) {
  const { page, context, wrong, close } = await visit(stage.url, { viewport: size });
  await page.addInitScript(addUpShifts);
  return {
    page,
    context,
    close,
    to: (path: string) => page.goto(new URL(path, stage.url).href),
    /** Looks at the page as it is now. */
    look: async () => {
      const what = `${new URL(page.url()).pathname} at ${size.width}`;
      if (size.width === 360)
        wrong.push(...(await axeFindings(page)).map((finding) => `${what}: ${finding}`));
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (over > 0) wrong.push(`${what}: ${over} px too wide`);
      const moved = await shiftOf(page);
      if (moved > 0.02) wrong.push(`${what}: moved by ${moved}`);
    },
  };
}

/** Whether something is whole in the first view, without scrolling. */
export async function isInFirstView(page: Page, what: Locator): Promise<boolean> {
  await what.waitFor();
  const box = await what.boundingBox();
  const { height } = page.viewportSize() ?? { height: 0 };
  return box !== null && box.y >= 0 && box.y + box.height <= height;
}

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name }).waitFor();
const purchase = (page: Page) => page.getByRole("button", { name: "Purchase Premium" });

/** Leaves the landing page for the payment provider's. */
async function order(page: Page) {
  await purchase(page).scrollIntoViewIfNeeded();
  await purchase(page).click();
  await page.waitForURL("**/c/pay/**");
}

export async function stranger(size: Size) {
  const { page, close, to, look } = await visitor(size);
  await to("/");
  await order(page);
  await payAtStripe(page, "stranger@example.com");
  await heading(page, "Payment Verified");
  expect(await isInFirstView(page, page.getByText(/^WISP(-[0-9A-Z]{4}){4}$/))).toBe(true);
  expect(await isInFirstView(page, page.getByRole("button", { name: "Copy license key" }))).toBe(true);
  expect(await isInFirstView(page, page.getByRole("link", { name: "Register" }))).toBe(true);
  await page.getByText("Also emailed to stranger@example.com.").waitFor();
  await look();
  const session = await page.evaluate(() => sessionStorage.getItem("last-checkout"));
  const elsewhere = await visitor(size);
  await elsewhere.to(`/success?session_id=${session}`);
  await elsewhere.page.getByText("The key was emailed to s•••@e•••.com.").waitFor();
  const found = elsewhere.page.getByRole("link", { name: "Find your order" });
  expect(await isInFirstView(elsewhere.page, found)).toBe(true);
  await elsewhere.look();

  await page.getByRole("link", { name: "Register" }).click();
  const username = page.getByLabel("Username");
  await username.waitFor();
  expect(await username.evaluate((field) => field === document.activeElement)).toBe(true);
  expect(await page.getByLabel("License key", { exact: true }).getAttribute("type")).toBe("text");
  await page.getByText("3 to 32 letters, digits, or _ . -", { exact: true }).waitFor();
  await look();
  await username.fill("a b");
  await page.getByRole("button", { name: "Register" }).click();
  await page.getByText("Use 3 to 32 letters, digits, or _ . -").waitFor();
  await page.getByText("Choose a password").waitFor();
  await look();
  await username.fill(`stranger-${size.width}`);
  await page.getByLabel("Email").fill(`stranger-${size.width}@example.com`);
  await page.getByLabel("Password", { exact: true }).fill("a long enough phrase");
  await page.getByRole("button", { name: "Register" }).click();
  await page.waitForURL("**/dashboard");
  await close();

  await elsewhere.page.getByRole("button", { name: "Refresh status" }).click();
  await elsewhere.page.getByText("Your license key has been redeemed.").waitFor();
  await elsewhere.page.getByRole("link", { name: "I have an account" }).waitFor();
  await elsewhere.look();
  await elsewhere.close();
}

export async function customer(size: Size) {
  const { page, context, close, to, look } = await visitor(size);
  const person = stage.person();
  const name = `customer-${size.width}`;
  await person.register(await stage.handOut(30), name);
  await signIn(context, person, stage.url);
  await to("/");
  await order(page);
  await payAtStripe(page);
  await heading(page, "Payment Verified");
  await page.getByText("Added to your account, yours for life").waitFor();
  expect(await isInFirstView(page, page.getByRole("link", { name: "Download" }))).toBe(true);
  await look();

  await to("/dashboard/payments");
  const row = page.getByRole("row", { name: /Wisp Premium/ });
  const id = await row.getByRole("link").innerText();
  await row.getByText("5.00").first().waitFor();
  await look();
  await row.getByRole("link").click();
  await page.getByText(id, { exact: true }).waitFor();
  await page.getByRole("region", { name: "Bill" }).waitFor();
  await look();
  await close();
}

export async function canceledGift(size: Size) {
  const { page, close, to, look } = await visitor(size);
  await to("/?gift");
  await page.getByLabel("Their email").fill("bob@example.com");
  await page.getByLabel("Message").fill("Happy birthday!");
  await page.getByRole("button", { name: "Purchase gift" }).click();
  await page.waitForURL("**/c/pay/**");
  await page.getByRole("link", { name: "Cancel and go back" }).click();
  await heading(page, "Payment Canceled");
  const again = page.getByRole("link", { name: "Return to checkout" });
  expect(await isInFirstView(page, again)).toBe(true);
  await look();
  await again.click();
  await page.waitForURL("**/c/pay/**");
  await payAtStripe(page, "giver@example.com");
  await page.getByText("A gift for bob@example.com").waitFor();
  await page.getByText("Happy birthday!").waitFor();
  await close();
}

export async function pending(size: Size) {
  const { page, close, to, look } = await visitor(size);
  await to("/");
  await order(page);
  await payAtStripe(page, "patient@example.com", "bank");
  await heading(page, "Payment Pending");
  const next = page.getByRole("region", { name: "What happens next" });
  expect(await next.innerText()).toContain("patient@example.com");
  expect(await isInFirstView(page, next)).toBe(true);
  await look();
  const session = await page.evaluate(() => sessionStorage.getItem("last-checkout"));
  await stage.atStripe("settle", { session, outcome: "fail" });
  await heading(page, "Payment Failed");
  await page.getByRole("button", { name: "Try again" }).waitFor();
  await look();
  await close();
}

export async function sentToSignIn(size: Size) {
  const { page, context, close, to, look } = await visitor(size);
  const name = `sent-${size.width}`;
  await stage.person().register(await stage.handOut(), name);
  await to("/api/download/zip");
  await page.getByText("Sign in to continue.").waitFor();
  await look();
  await page.getByLabel("Username").fill(name);
  await page.getByLabel("Password", { exact: true }).fill("a long enough phrase");
  await page.getByRole("button", { name: "Login" }).click();
  const file = page.getByRole("region", { name: "Your download" });
  expect(await file.getByRole("link").getAttribute("href")).toBe("/api/download/zip");
  expect(await isInFirstView(page, file)).toBe(true);
  await look();

  await context.clearCookies();
  await to("/dashboard/license");
  await page.getByText("You were signed out. Sign in to continue.").waitFor();
  await page.getByLabel("Username").fill(name);
  await page.getByLabel("Password", { exact: true }).fill("a long enough phrase");
  await page.getByRole("button", { name: "Login" }).click();
  await page.waitForURL("**/dashboard/license");
  await close();
}
