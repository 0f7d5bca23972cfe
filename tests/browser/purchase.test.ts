import { afterAll, expect, test } from "bun:test";
import { openShop } from "../support/shop/shop-in-browser";
import { eventually } from "../support/shop/stage";
import { payAtStripe } from "./browser";
import { visit } from "./visit";

const stage = await openShop({ env: { LIMITS: "register-success=1000/60" } });
afterAll(() => stage[Symbol.asyncDispose]());

const wholeKey = /WISP(-[0-9A-Z]{4}){4}/;

/** The landing page, which records the hosts that it contacts. */
async function open() {
  const { page, close } = await visit(stage.url);
  const hosts = new Set<string>();
  page.on("request", (request) => {
    const { protocol, host } = new URL(request.url());
    if (protocol.startsWith("http")) hosts.add(host);
  });
  await page.goto(stage.url.href);
  return { page, hosts, close };
}

test("a visitor buys in a browser, registers, and has an active licence", async () => {
  const { page, hosts, close } = await open();
  await page.getByRole("button", { name: /purchase/i }).click();
  await payAtStripe(page, "stranger@example.com");
  await page.getByRole("heading", { name: "Payment Verified" }).waitFor();
  const shown = await page.getByText(wholeKey).first().textContent();
  const key = wholeKey.exec(shown ?? "")?.[0] ?? "";
  expect(page.url()).not.toContain("session_id");

  await page
    .getByRole("link", { name: "Register" })
    .or(page.getByRole("button", { name: "Register" }))
    .click();
  await page.waitForURL("**/register");
  expect(await page.getByLabel(/email/i).inputValue()).toBe("stranger@example.com");
  await page.getByLabel("Username").fill("stranger");
  await page.locator('input[autocomplete="new-password"]').fill("a long enough phrase");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/dashboard");

  await page.getByRole("link", { name: "License" }).first().click();
  await page.getByText("Active", { exact: true }).waitFor();
  await page.getByRole("table", { name: "Licenses" }).getByText("Lifetime").waitFor();
  await page.getByText(key).first().waitFor();

  await page.getByPlaceholder("WISP-XXXX-XXXX-XXXX-XXXX").fill(key);
  await page.getByRole("button", { name: "Redeem" }).click();
  await page.getByRole("alert").getByText("That license key is already on your account").waitFor();

  await stage.shop.worker.drain();
  const mails = stage.mail.messages("stranger@example.com");
  const receipts = mails.filter(({ subject }) => subject?.includes("receipt"));
  expect(receipts.map(({ text }) => text?.includes(key))).toEqual([true]);
  expect([...hosts].toSorted()).toEqual([stage.url.host, new URL(stage.stripe.url).host].toSorted());
  await close();
});

test("on a phone, the link in a receipt fills in the form, and registering confirms the address", async () => {
  const email = "a.rather.long.name.of.somebody@example.com";
  const { key } = await stage.buy(email);
  await stage.shop.worker.drain();
  const [link = ""] = /http\S+\/register#\S+/.exec(stage.mail.messages(email)[0]?.text ?? "") ?? [];
  const { page, hosts, close } = await open();
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(link);
  await eventually(
    () => page.getByLabel("License key", { exact: true }).inputValue(),
    (value) => value === key,
  );
  expect(await page.getByLabel("Email").inputValue()).toBe(email);
  expect(new URL(page.url()).hash).toBe("");
  await page.getByLabel("Username").fill("phone");
  await page.locator('input[autocomplete="new-password"]').fill("a long enough phrase");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/dashboard");
  await page.goto(new URL("/dashboard/account#details", stage.url).href);
  await page.getByLabel("Email", { exact: true }).waitFor();
  expect(await page.getByRole("form", { name: "Confirm email" }).count()).toBe(0);
  await page.goto(link);
  await page.waitForURL("**/dashboard/license#redeem");
  await page.getByText(/Type the key from the email/).waitFor();
  await page.context().clearCookies();
  await page.goto(new URL("/", stage.url).href);
  await page.goto(link);
  await page.getByText(/Type the key from the email/).waitFor();
  expect([...hosts]).toEqual([stage.url.host]);
  await close();
});
