import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { operated } from "../support/operator/run-operator";
import { sellMonth } from "../support/shop/sell-month";
import { openShop } from "../support/shop/shop-in-browser";
import { eventually, type Stage } from "../support/shop/stage";
import { findingsAtBothWidths, openBrowser, signIn, still } from "./browser";

const browser = await openBrowser();

const wholeKey = /WISP(-[0-9A-Z]{4}){4}/;
const why = ["--reason", "a story"];
/** A separate browser, and everything that violated a page's policy, failed in its code or was too wide. */
async function visitor(stage: Stage) {
  const context = await browser.newContext({ ...still, viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  const wrong: string[] = [];
  page.on("console", (message) => {
    const ours = message.location().url.startsWith(stage.url.origin);
    if (ours && message.type() === "error") wrong.push(message.text());
  });
  page.on("pageerror", (error) => wrong.push(error.message));
  return {
    page,
    wrong,
    to: (path: string) => page.goto(new URL(path, stage.url).href),
    close: () => context.close(),
    /** Looks for what axe finds and what is too wide, on a phone and on a computer. */
    look: async () => wrong.push(...(await findingsAtBothWidths(page))),
  };
}

/** The offers are fetched when the page is scrolled near them. */
const scrollToOffers = (page: Page) =>
  page.getByRole("button", { name: "Purchase Premium" }).scrollIntoViewIfNeeded();
const purchase = (page: Page) => page.getByRole("button", { name: "Purchase Premium" }).click();
const proceed = (page: Page) => page.getByRole("button", { name: "Continue to checkout" }).click();
const bill = (page: Page) => page.getByRole("region", { name: "Bill" }).locator("dl");

/** Pays on the payment provider's page, which needs no card where nothing is due. */
async function pay(page: Page, email?: string, free = false) {
  await page.waitForURL("**/c/pay/**");
  if (email) await page.fill("#email", email);
  if (!free) {
    await page.fill("#number", "4242 4242 4242 4242");
    await page.fill("#expiry", "12 / 40");
    await page.fill("#cvc", "123");
    await page.fill("#name", "Somebody");
  }
  await page.click("button.primary");
  await page.waitForURL("**/success**");
  await page.getByRole("heading", { name: "Payment Verified" }).waitFor();
}

async function register(page: Page, username: string, filled: { email?: string; key?: string } = {}) {
  await page.getByLabel("Username").fill(username);
  if (filled.email) await page.getByLabel("Email").fill(filled.email);
  await page.getByLabel("Password", { exact: true }).fill("a long enough phrase");
  if (filled.key) await page.getByLabel("License key", { exact: true }).fill(filled.key);
  await page.getByRole("button", { name: "Register" }).click();
  await page.waitForURL("**/dashboard");
}

const licences = (page: Page) => page.getByRole("table", { name: "Licenses" });

test("an offer added while the shop runs can be bought with a 20 % code, and its time counts down", async () => {
  await using stage = await openShop();
  const { page, wrong, to, look, close } = await visitor(stage);
  await to("/");
  const asked = page.waitForResponse("**/api/offers");
  await scrollToOffers(page);
  await asked;
  expect(await page.getByRole("radio").count()).toBe(0);

  await sellMonth(stage);
  await operated(stage, "codes", "create", "LAUNCH", "--percent", "20", ...why);
  await to("/?code=LAUNCH");
  await scrollToOffers(page);
  await page.getByRole("radio", { name: /One month/ }).check();
  await page.getByText("The code LAUNCH is checked when you buy.").waitFor();
  await look();
  await purchase(page);
  await page.waitForURL("**/c/pay/**");
  await page.getByRole("heading", { name: "One month" }).waitFor();
  await pay(page, "month@example.com");
  expect(await bill(page).innerText()).toBe("One month\nUSD 2.00\nDiscount\n−USD 0.40\nPaid\nUSD 1.60");
  await look();

  await page.getByRole("link", { name: "Register" }).click();
  await register(page, "monthly");
  await to("/dashboard/license");
  await licences(page).getByText("29 days left").waitFor();
  await to("/dashboard/payments");
  await page.getByRole("cell", { name: "One month USD 1.60" }).waitFor();
  await look();
  expect(wrong).toEqual([]);
  await close();
});

test("with a 100 % code nothing is paid, and the license is like any other", async () => {
  await using stage = await openShop();
  await operated(stage, "codes", "create", "FREE", "--percent", "100", ...why);
  const { page, wrong, to, close } = await visitor(stage);
  await to("/?code=FREE");
  await scrollToOffers(page);
  await page.getByText("The code FREE is checked when you buy.").waitFor();
  await purchase(page);
  await pay(page, "free@example.com", true);
  expect(await bill(page).innerText()).toBe("Wisp Premium\nUSD 5.00\nDiscount\n−USD 5.00\nPaid\nUSD 0.00");
  await page.getByRole("link", { name: "Register" }).click();
  await register(page, "lucky");
  await to("/dashboard/license");
  await licences(page).getByText("Lifetime").waitFor();
  await to("/dashboard/payments");
  await page.getByRole("row", { name: /Wisp Premium/ }).click();
  await page.getByRole("heading", { name: "Payment Verified" }).waitFor();
  expect(wrong).toEqual([]);
  await close();
});

test("each of three keys opens an account; a partial refund revokes none of them, a full one all", async () => {
  await using stage = await openShop({ env: { SELLER: "Wisp Software Ltd\\n1 Example Street" } });
  const { page, wrong, to, look, close } = await visitor(stage);
  await to("/?quantity=3");
  await look();
  await proceed(page);
  await pay(page, "school@example.com");
  const session = await page.evaluate(() => sessionStorage.getItem("last-checkout"));
  const keys = await page.getByRole("list", { name: "License keys" }).getByText(wholeKey).allTextContents();
  expect(new Set(keys).size).toBe(3);
  await look();
  await page.getByRole("link", { name: "Register" }).click();
  await register(page, "teacher");

  const pupil = stage.person();
  expect((await pupil.register(keys[1] ?? "", "pupil")).status).toBe(200);
  const [payment] = (await pupil.get("/api/payments")).body.data;
  await stage.atStripe("refund", { session, amount: 500 });
  await to(`/dashboard/transaction?payment_intent=${payment.payment_id}`);
  await bill(page).getByText("Refunded").waitFor();
  expect(await bill(page).innerText()).toContain("Paid\nUSD 15.00\nRefunded\n−USD 5.00");
  expect(await page.getByText("1 Example Street").first().innerText()).toBe(
    "Wisp Software Ltd\n1 Example Street",
  );
  await look();
  await to("/dashboard/license");
  await licences(page).getByText("Active", { exact: true }).waitFor();

  await stage.atStripe("refund", { session });
  await to(`/dashboard/transaction?payment_intent=${payment.payment_id}`);
  await page.getByRole("heading", { name: "Payment Refunded" }).waitFor();
  await to("/dashboard/license");
  await licences(page).getByText("Inactive").waitFor();
  expect((await pupil.get("/api/user/me")).body.data.active_license).toBe(false);
  expect(wrong).toEqual([]);
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
  await proceed(giver.page);
  await pay(giver.page, "ada@example.com");
  await giver.page.getByText("A gift for bob@example.com, from Ada").waitFor();
  await giver.look();
  const [email] = await eventually(
    () => stage.mail.messages("bob@example.com"),
    (emails) => emails.length > 0,
  );
  expect(email?.text).toContain("Happy birthday!");
  const key = wholeKey.exec(email?.text ?? "")?.[0] ?? "";
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
  expect([...giver.wrong, ...receiver.wrong]).toEqual([]);
  await giver.close();
  await receiver.close();
});

test("tax is on the bill, and the invoice is one click away", async () => {
  await using stage = await openShop({ env: { TAX: "stripe", INVOICES: "stripe" } });
  await stage.atStripe("tax", { percent: 19, within: false });
  const { page, wrong, to, look, close } = await visitor(stage);
  await to("/");
  await purchase(page);
  await pay(page, "taxed@example.com");
  expect(await bill(page).innerText()).toBe("Wisp Premium\nUSD 5.00\nTax\nUSD 0.95\nPaid\nUSD 5.95");
  await look();
  const [invoice] = await Promise.all([
    page.waitForEvent("popup"),
    page.getByRole("link", { name: "See the invoice" }).click(),
  ]);
  await invoice.getByText("$5.95").waitFor();
  expect(wrong).toEqual([]);
  await close();
});

test("a timed license is renewed from the License page, and is on the account when it is paid", async () => {
  await using stage = await openShop();
  await sellMonth(stage);
  const { page, wrong, to, look, close } = await visitor(stage);
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
  await page.getByText("this would add nothing to it").waitFor();
  await page.getByRole("button", { name: "Buy", exact: true }).waitFor();
  await look();
  expect(wrong).toEqual([]);
  await close();
});

test("an order placed under a mistyped address is corrected by staff, then found, and opens an account", async () => {
  await using stage = await openShop();
  const { page, wrong, to, look, close } = await visitor(stage);
  await to("/");
  await purchase(page);
  await pay(page, "ada@exmaple.com");
  await page.context().clearCookies();
  await page.reload();
  await page.getByRole("link", { name: "Find your order" }).click();
  const find = async () => {
    await page.getByLabel("Email").fill("ada@example.com");
    await page.getByRole("button", { name: "Send Email" }).click();
    await page.getByRole("heading", { name: "Check your email" }).waitFor();
  };
  await look();
  await find();
  await look();
  await stage.shop.worker.drain();
  expect(stage.mail.messages("ada@example.com")).toEqual([]);

  const [payment] = await operated(stage, "payments", "find", "--email", "ada@exmaple.com");
  await operated(stage, "payments", "correct-email", payment.id, "ada@example.com", ...why);
  await page.getByRole("button", { name: "Try another address" }).click();
  await find();
  const emails = await eventually(
    () => stage.mail.messages("ada@example.com"),
    (all) => all.some(({ subject }) => subject === "Your orders"),
  );
  const list = emails.find(({ subject }) => subject === "Your orders")?.text ?? "";
  await to("/register");
  await register(page, "ada", { email: "ada@example.com", key: wholeKey.exec(list)?.[0] ?? "" });
  await to("/dashboard/license");
  await licences(page).getByText("Lifetime").waitFor();
  expect(wrong).toEqual([]);
  await close();
});
