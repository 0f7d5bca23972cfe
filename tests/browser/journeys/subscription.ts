/** A subscription as its customer sees it, from the trial to the lifetime license. */
import { expect } from "bun:test";
import type { Page } from "playwright-core";
import type { Stage } from "../../support/shop/stage";
import { addOffer } from "@/domain/offers/change";
import { openShop } from "../../support/shop/shop-in-browser";
import { atStripeNow, by, pass, password, settleAll } from "../../stories/subscriptions/subscriber";
import { goTo, axeFindings, openBrowser, still } from "../browser";

/** Goes through a year of it in a window of that size. */
export async function subscribe(viewport: { width: number; height: number }) {
  const browser = await openBrowser();
  await using stage = await openShop({ env: { LIMITS: "own=1000/60" } });
  const recurring = { days: null, trialDays: null };
  await addOffer(
    stage.ctx,
    { id: "month", name: "A month", amount: 300, ...recurring, every: "month", trialDays: 7 },
    by,
  );
  await addOffer(stage.ctx, { id: "year", name: "A year", amount: 3000, ...recurring, every: "year" }, by);
  const context = await browser.newContext({ ...still, viewport });
  const page = await context.newPage();
  const wrong: string[] = [];
  page.on("pageerror", (error) => wrong.push(error.message));
  const plan = page.getByRole("region", { name: "License status" });
  const says = (text: RegExp | string) => plan.getByText(text).waitFor();
  const press = (name: string) => plan.getByRole("button", { name }).click();
  const atStripe = (flow: string) => page.waitForURL(new RegExp(`/p/session/.*${flow}`));
  const look = async () => {
    const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    const found = viewport.width === 360 ? await axeFindings(page) : [];
    wrong.push(...found, ...(sideways > 0 ? [`${page.url()} is too wide`] : []));
  };
  const later = async (days: number) => {
    await pass(stage, days);
    await page.clock.setSystemTime(stage.ctx.now());
  };

  // a free trial, bought by a visitor who registers with its key
  await page.goto(stage.url.href);
  await page.getByRole("button", { name: "Purchase Premium" }).scrollIntoViewIfNeeded();
  await page.getByRole("radio", { name: /A month/ }).check();
  await page
    .getByText(/^Free until \w{3} \d+(, \d{4})?, then \$3\.00 a month\. Cancel any time\.$/)
    .waitFor();
  await page.getByRole("button", { name: "Start free trial" }).click();
  await pay(page, "ada@example.com");
  await look();
  await page.getByRole("link", { name: "Register" }).click();
  await page.getByLabel("Username").fill("ada");
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Register" }).click();
  await page.waitForURL("**/dashboard");
  await toLicense(page, stage);
  await says(/^Free until \w{3} \d+, \d{4}, then USD 3\.00\.$/);
  await look();

  // the trial becomes paid, and the month a year
  await later(8);
  await signInAgain(page, stage);
  await toLicense(page, stage);
  await says(/^Renews on \w{3} \d+, \d{4} for USD 3\.00\.$/);
  await press("Change plan");
  await atStripe("switch");
  await page.getByRole("button", { name: "Confirm" }).click();
  await page.waitForURL("**/dashboard/license");
  await says(/^Renews on \w{3} \d+, \d{4} for USD 30\.00\.$/);

  // its renewal fails, and another card pays it
  const [held] = await atStripeNow(stage);
  await stage.atStripe("card/mood", { subscription: held?.subscription, mood: "declines" });
  await later(366);
  await signInAgain(page, stage);
  await toLicense(page, stage);
  await says(/^Your last payment failed\. Update your card by /);
  await look();
  await press("Update card");
  await atStripe("card");
  await fillCard(page, "5555 5555 5555 4444");
  await page.getByRole("button", { name: "Save card" }).click();
  await page.waitForURL("**/dashboard/license");
  await settleAll(stage);
  await toLicense(page, stage);
  await says(/^Renews on \w{3} \d+, \d{4} for USD 30\.00\.$/);
  await says("Mastercard ending in 4444");
  expect(await plan.getByText(/payment failed/i).count()).toBe(0);

  // cancelled, and resumed
  await press("Cancel subscription");
  await atStripe("cancel");
  await page.getByRole("button", { name: "Cancel subscription" }).click();
  await page.waitForURL("**/dashboard/license");
  await says(/^It won't renew\. You keep Wisp Premium until \w{3} \d+, \d{4}\.$/);
  await look();
  await press("Resume subscription");
  await atStripe("");
  await page.getByRole("button", { name: "Don’t cancel subscription" }).click();
  await page.getByRole("link", { name: "Return to the shop" }).click();
  await page.waitForURL("**/dashboard/license");
  await says(/^Renews on \w{3} \d+, \d{4} for USD 30\.00\.$/);

  // a lifetime bought beside it ends it
  await page.locator("#buy").getByRole("button", { name: "Upgrade to lifetime" }).click();
  await pay(page);
  await look();
  await settleAll(stage);
  await toLicense(page, stage);
  const replaced = page.getByRole("region", { name: "Another license" });
  await replaced.getByText(/^It won't renew\./).waitFor();
  await page.getByRole("table", { name: "Licenses" }).getByText("Lifetime").waitFor();
  await look();
  expect(wrong).toEqual([]);
  await context.close();
}

const toLicense = (page: Page, stage: Stage) => page.goto(new URL("/dashboard/license", stage.url).href);

/** A week ends a session. */
async function signInAgain(page: Page, stage: Stage) {
  // else the page that stands may lead to the sign-in page by itself meanwhile, with its reason, which draws the form anew
  await page.goto("about:blank");
  await goTo(page, new URL("/login", stage.url).href);
  await page.getByLabel("Username").fill("ada");
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Login" }).click();
  await page.waitForURL("**/dashboard");
}

async function fillCard(page: Page, number: string) {
  await page.fill("#number", number);
  await page.fill("#expiry", "12 / 40");
  await page.fill("#cvc", "123");
  await page.fill("#name", "Ada");
}

async function pay(page: Page, email?: string) {
  await page.waitForURL("**/c/pay/**");
  if (email) await page.fill("#email", email);
  await fillCard(page, "4242 4242 4242 4242");
  await page.click("button.primary");
  await page.waitForURL("**/success**");
  await page.getByRole("heading", { name: "Payment Verified" }).waitFor();
}
