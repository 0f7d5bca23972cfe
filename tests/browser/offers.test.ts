import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { operated } from "../support/operator/run-operator";
import { sellMonth } from "../support/shop/sell-month";
import { openShop } from "../support/shop/shop-in-browser";
import { eventually, type Stage } from "../support/shop/stage";
import { findingsAtBothWidths, payAtStripe, signIn } from "./browser";
import { visit } from "./visit";

test("an offer added while the shop runs can be bought with a 20 % code, and its time counts down", async () => {
  await using stage = await openShop();
  const { page, to, look, close } = await visitor(stage);
  await to("/");
  const asked = page.waitForResponse("**/api/offers");
  await scrollToOffers(page);
  await asked;
  expect(await page.getByRole("radio").count()).toBe(0);

  await sellMonth(stage);
  await operated(stage, "codes", "create", "LAUNCH", "--percent", "20", "--reason", "a story");
  await to("/?code=LAUNCH");
  await scrollToOffers(page);
  await page.getByRole("radio", { name: /One month/ }).check();
  await page.getByText(", 20% off").waitFor();
  await page.getByText("One payment of $1.60 for 30 days. It doesn't renew.").waitFor();
  await look();
  await page.getByRole("button", { name: "Purchase Premium" }).click();
  await page.waitForURL("**/c/pay/**");
  await page.getByRole("heading", { name: "One month" }).waitFor();
  await pay(page, "month@example.com");
  const bill = page.getByRole("region", { name: "Bill" }).locator("dl");
  expect(await bill.innerText()).toBe("One month\nUSD 2.00\nDiscount\n−USD 0.40\nPaid\nUSD 1.60");
  await look();

  await page.getByRole("link", { name: "Register" }).click();
  await register(page, "monthly");
  await to("/dashboard/license");
  await licences(page).getByText("29 days left").waitFor();
  await to("/dashboard/payments");
  await page.getByRole("cell", { name: "One month USD 1.60" }).waitFor();
  await look();
  await close();
});

test("a gift's key goes to its receiver, who opens it, and the buyer never sees it", async () => {
  await using stage = await openShop();
  const giver = await visitor(stage);
  await giver.to("/?gift");
  await giver.look();
  await giver.page.getByLabel("Their email").fill("bob@example.com");
  await giver.page.getByLabel("From").fill("Ada");
  await giver.page.getByLabel("Message").fill("Happy birthday!");
  await giver.page.getByRole("button", { name: "Purchase gift" }).click();
  await pay(giver.page, "ada@example.com");
  await giver.page.getByText("A gift for bob@example.com, from Ada").waitFor();
  await giver.look();
  const [email] = await eventually(
    () => stage.mail.messages("bob@example.com"),
    (emails) => emails.length > 0,
  );
  expect(email?.text).toContain("Happy birthday!");
  const key = /WISP(-[0-9A-Z]{4}){4}/.exec(email?.text ?? "")?.[0] ?? "";
  expect(key).not.toBe("");
  expect(await giver.page.content()).not.toContain(key);
  expect(await giver.page.getByRole("link", { name: "Register" }).count()).toBe(0);

  const receiver = await visitor(stage);
  await receiver.to("/register");
  await register(receiver.page, "bob", { email: "bob@example.com", key });
  await receiver.to("/dashboard/license");
  await licences(receiver.page).getByText("Lifetime").waitFor();
  await giver.page.getByRole("button", { name: "Refresh status" }).click();
  await giver.page.getByText("Your gift has been opened.").waitFor();
  await giver.close();
  await receiver.close();
});

test("a timed license is renewed from the License page, and is on the account when it is paid", async () => {
  await using stage = await openShop();
  await sellMonth(stage);
  const { page, to, look, close } = await visitor(stage);
  const person = stage.person();
  await person.register(await stage.handOut(10), "regular");
  await signIn(page.context(), person, stage.url);
  await to("/dashboard/license");
  await page.getByRole("button", { name: "Renew" }).waitFor();
  await look();
  await page.getByRole("button", { name: "Renew" }).click();
  await pay(page);
  expect(await page.getByRole("link", { name: "Register" }).count()).toBe(0);
  await page.getByText("Your license is on your account.").waitFor();
  await look();
  await page.getByRole("link", { name: "Your licenses" }).click();
  await page.waitForURL("**/dashboard/license");
  // the cell alone: a key that ends in 3 stands before "9 days left"
  await licences(page).getByRole("cell", { name: "39 days left" }).waitFor();

  await person.post("/api/licenses/redeem", { key: await stage.handOut(), timezone: "UTC" });
  await page.reload();
  await page.getByRole("link", { name: "Send Wisp as a gift" }).waitFor();
  expect(await page.locator("#buy").count()).toBe(0);
  await look();
  await close();
});

/** A separate browser, and everything that violated a page's policy, failed in its code or was too wide. */
async function visitor(stage: Stage) {
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
const scrollToOffers = (page: Page) =>
  page.getByRole("button", { name: "Purchase Premium" }).scrollIntoViewIfNeeded();

async function pay(page: Page, email?: string) {
  await payAtStripe(page, email);
  await page.getByRole("heading", { name: "Payment Verified" }).waitFor();
}

async function register(page: Page, username: string, filled?: { email: string; key: string }) {
  await page.getByLabel("Username").fill(username);
  if (filled) await page.getByLabel("Email").fill(filled.email);
  await page.getByLabel("Password", { exact: true }).fill("a long enough phrase");
  if (filled) await page.getByLabel("License key", { exact: true }).fill(filled.key);
  await page.getByRole("button", { name: "Register" }).click();
  await page.waitForURL("**/dashboard");
}

const licences = (page: Page) => page.getByRole("table", { name: "Licenses" });
