import { afterAll, expect, test } from "bun:test";
import { generate } from "otplib";
import type { Page } from "playwright-core";
import { minute } from "@/contract/vocabulary/time";
import { openShop } from "../support/shop/shop-in-browser";
import { waitForBot, waitForHolders } from "../support/people/discord";
import { eventually } from "../support/shop/stage";
import { waitForAnimations, goTo, openBrowser, typePassword } from "./browser";
import { visit } from "./visit";

const browser = await openBrowser();

// every test has its own account, registered from the same address
const stage = await openShop({ discord: true, env: { LIMITS: "register-success=1000/60" } });
afterAll(() => stage[Symbol.asyncDispose]());

const password = "ada-likes-engines";
const mailbox = (name: string) => `${name}@example.com`;

/** A browser in which somebody has just registered. */
async function as(name: string) {
  const person = stage.person();
  expect((await person.register(await stage.handOut(), name, password)).status).toBe(200);
  return visit(stage.url, { person });
}

/** What the authenticator shows once the shop's clock has advanced by this many seconds. */
const codeOf = (secret: string, ahead = 0) =>
  generate({ secret, epoch: Math.floor(Date.now() / 1000) + ahead });

async function login(page: Page, name: string, secretWord = password) {
  await page.getByLabel("Username").fill(name);
  await page.getByLabel("Password", { exact: true }).fill(secretWord);
  await page.getByRole("button", { name: "Login" }).click();
}

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });

/** A dialog locks the page's scrolling with a style that the content policy has to allow. */
const scrolling = (page: Page) => page.evaluate(() => getComputedStyle(document.body).overflowY);

test("the bar shows who is signed in, even on a cached page", async () => {
  const { page, to, close } = await as("ada");
  const bar = page.getByRole("banner");
  for (const path of ["/", "/commands", "/"]) {
    await to(path);
    await bar.getByRole("link", { name: "Dashboard" }).waitFor();
  }
  await to("/logout");
  await page.waitForURL(stage.url.href);
  await bar.getByRole("link", { name: "Login" }).waitFor();
  await to("/");
  await bar.getByRole("link", { name: "Login" }).waitFor();
  await to("/login");
  await login(page, "ada");
  await page.waitForURL("**/dashboard");
  await to("/");
  await bar.getByRole("link", { name: "Dashboard" }).waitFor();
  await close();
});

test("a tab that shows one account spends nothing of hers for another who signed in in the next tab", async () => {
  const { page, to, close } = await as("tess");
  const key = await stage.handOut(5);
  await to("/dashboard/license");
  await page.getByPlaceholder(/^WISP/).fill(key);
  const other = await as("tim");
  await other.close();
  const next = await page.context().newPage();
  await goTo(next, new URL("/logout", stage.url).href);
  await next.waitForURL(stage.url.href);
  await goTo(next, new URL("/login", stage.url).href);
  await login(next, "tim");
  await next.waitForURL("**/dashboard");

  await button(page, "Redeem").click();
  await page.getByText("You are now signed in as tim in this browser.").waitFor();
  await button(page, "Account of tim").waitFor();
  expect(await page.getByPlaceholder(/^WISP/).inputValue()).toBe("");
  await page.getByPlaceholder(/^WISP/).fill(key);
  await button(page, "Redeem").click();
  await page.getByText("already hold a lifetime license").first().waitFor();

  await to("/dashboard/account");
  await button(page, "Account of tim").waitFor();
  await goTo(next, new URL("/logout", stage.url).href);
  await next.waitForURL(stage.url.href);
  // the clock of the page is ahead of the look when it was opened
  await page.evaluate((ahead) => (Date.now = () => new Date().getTime() + ahead), minute / 2);
  await page.evaluate(() => dispatchEvent(new Event("focus")));
  await page.getByText("You are no longer signed in on this browser.").waitFor();
  await page.waitForURL("**/login**");
  await close();
});

test("two-factor can be enabled, used to sign in by code and by recovery code, and removed with another recovery code", async () => {
  const { page, to, close } = await as("bea");
  await to("/dashboard/settings");
  await button(page, "Enable two-factor").click();
  await typePassword(page, password);
  await page.getByAltText("QR code").waitFor();
  expect(await scrolling(page)).toBe("hidden");
  const secret = ((await page.locator("code").textContent()) ?? "").replaceAll(" ", "");
  await page.keyboard.type("000000");
  await page.getByText("Invalid security code").waitFor();
  await page.keyboard.type(await codeOf(secret));
  await page.getByText("Enabled mobile authenticaiton").waitFor();
  const codes = await page
    .getByRole("list", { name: "Recovery codes" })
    .getByRole("listitem")
    .allTextContents();
  expect(codes).toHaveLength(10);
  await page.keyboard.press("Escape");
  const saving = page.waitForEvent("download");
  await button(page, "Download").last().click();
  const file = await Bun.file(await (await saving).path()).text();
  expect(file).toContain(codes.join("\n"));
  expect(await button(page, "Done").isDisabled()).toBe(true);
  await page.getByLabel("I have saved these codes").check();
  await button(page, "Done").click();
  await button(page, "Disable two-factor").waitFor();
  expect(await scrolling(page)).toBe("visible");

  await to("/logout");
  await page.waitForURL(stage.url.href);
  // the step that enabled it is used up
  stage.advance(minute);
  await to("/login");
  await login(page, "bea");
  await boxesTakeKeys(page);
  await page.keyboard.type(await codeOf(secret, 60));
  await page.waitForURL("**/dashboard");

  await to("/logout");
  await page.waitForURL(stage.url.href);
  await to("/login");
  await login(page, "bea");
  await button(page, "Use a recovery code").click();
  await page.getByLabel("Recovery code").fill(codes[0] ?? "");
  await button(page, "Confirm").click();
  await page.waitForURL("**/dashboard");

  await to("/dashboard/account#security");
  await button(page, "Disable two-factor").click();
  for (const [code, sentence] of [
    [codes[0], "Invalid security code"],
    [codes[1], "Removed mobile authenticaiton"],
  ] as const) {
    const other = button(page, "Use a recovery code");
    if (await other.isVisible()) await other.click();
    await page.getByLabel("Recovery code").fill(code ?? "");
    await page.getByRole("dialog").getByRole("button", { name: "Disable" }).click();
    await page.getByText(sentence).waitFor();
  }
  await button(page, "Enable two-factor").waitFor();
  await to("/dashboard/settings#security");
  await page.getByText("A recovery code was used").first().waitFor();
  await close();
});

test("a forgotten password is reset with the code from the mailbox, and the new one signs in", async () => {
  const { page, to, close } = await as("cleo");
  await to("/logout");
  await page.waitForURL(stage.url.href);
  await to("/login");
  await page.getByRole("link", { name: "FORGOT PASSWORD" }).click();
  await page.getByRole("textbox", { name: "Email" }).fill(mailbox("cleo"));
  await button(page, "Send Email").click();
  await page.getByText("Sent email containing verification code (check spam folder)").waitFor();
  const code = await codeInMailbox(mailbox("cleo"));
  await page.getByLabel("Digit 1 of 6").click();
  await page.keyboard.type(code === "000000" ? "000001" : "000000");
  await page.getByRole("alert").getByText("An invalid verification code was provided").waitFor();
  await page.keyboard.type(code);
  await page.getByText("Email verified, now choose a new password").waitFor();
  await page.getByLabel("New Password", { exact: true }).fill("a whole new phrase");
  await button(page, "Reset").click();
  await page.getByText("Password successfully reset, you may now login").waitFor();
  await page.waitForURL("**/login");
  await login(page, "cleo", "a whole new phrase");
  await page.waitForURL("**/dashboard");
  await close();
});

test("a code that a password manager fills, or an input method composes in wide digits, is sent once", async () => {
  const { page, to, close } = await as("mina");
  await to("/logout");
  await page.waitForURL(stage.url.href);
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && request.url().endsWith("/password/forgot"))
      sent.push(request.postDataJSON().code);
  });
  await to("/forgot-pass");
  await page.getByRole("textbox", { name: "Email" }).fill(mailbox("mina"));
  await button(page, "Send Email").click();
  const code = await codeInMailbox(mailbox("mina"));
  const wrong = code === "000000" ? "000001" : "000000";
  await page.getByLabel("Digit 6 of 6").waitFor();
  await page.evaluate((whole) => {
    const boxes = document.querySelectorAll<HTMLInputElement>('[aria-label^="Digit"]');
    const value = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value");
    for (const [at, box] of boxes.entries()) {
      value?.set?.call(box, at === 0 ? whole : whole[at]);
      for (const type of ["input", "change"]) box.dispatchEvent(new Event(type, { bubbles: true }));
    }
    // and some press the button as well
    const form = boxes[0]?.form;
    for (const later of [0, 1]) setTimeout(() => form?.requestSubmit(), later);
  }, wrong);
  await page.getByRole("alert").getByText("An invalid verification code was provided").waitFor();
  expect(sent).toEqual([wrong]);
  const keyboard = await page.context().newCDPSession(page);
  for (const digit of code) {
    const text = String.fromCharCode(digit.charCodeAt(0) + 0xfee0);
    await keyboard.send("Input.imeSetComposition", { text, selectionStart: 1, selectionEnd: 1 });
    await keyboard.send("Input.insertText", { text });
  }
  await page.getByText("Email verified, now choose a new password").waitFor();
  expect(sent).toEqual([wrong, code]);
  await close();
});

/** Reads the newest code as a person would, on the mailbox's page. */
async function codeInMailbox(address: string): Promise<string> {
  const subject = "Your verification code";
  await eventually(
    () => stage.mail.messages(address),
    (mails) => mails.some((mail) => mail.subject === subject),
  );
  const page = await browser.newPage();
  await page.goto(`${stage.mail.url}/?to=${address}`);
  await page.locator("a[href*='/messages/']").filter({ hasText: subject }).first().click();
  const email = page.frameLocator("iframe").locator("body");
  const [code = ""] = /\d{6}/.exec((await email.textContent()) ?? "") ?? [];
  await page.close();
  return code;
}

test("a new email is confirmed by the link in its mailbox, in the browser that asked", async () => {
  const { page, to, close } = await as("dana");
  await to("/dashboard/account#details");
  await page.getByLabel("Email", { exact: true }).fill("dana.new@example.com");
  await page.getByLabel("Password", { exact: true }).fill(password);
  await button(page, "Save").click();
  const [asked] = await eventually(
    () => stage.mail.messages("dana.new@example.com"),
    (mails) => mails.length > 0,
  );
  const [link = ""] = /http\S+\/confirm-email#[^\s"<]+/.exec(asked?.text ?? "") ?? [];
  await page.goto(link);
  await page.getByRole("button", { name: /^Confirm/ }).click();
  await page.getByText("dana.new@example.com").waitFor();
  expect(new URL(page.url()).hash).toBe("");
  await close();
});

test("Discord can be declined, then accepted on its page and connected, then deauthorized", async () => {
  await waitForBot(stage);
  const { page, to, close } = await as("dora");
  await to("/dashboard/settings");
  await page.getByText("Not Connected").waitFor();
  await button(page, "Authorize").click();
  await typePassword(page, password);
  await button(page, "Cancel").click();
  await page.getByRole("heading", { name: "Access Denied" }).waitFor();
  await page.getByText("Authentication request was canceled.").waitFor();

  await page.getByRole("link", { name: "Back to settings" }).click();
  await button(page, "Authorize").click();
  await page.getByRole("combobox").selectOption({ label: await nameOf(page, "ada") });
  await button(page, "Authorize").click();
  await page.getByRole("heading", { name: "Success" }).waitFor();
  expect(new URL(page.url()).search).toBe("");
  await waitForHolders(stage, ["ada"]);
  await page.getByRole("link", { name: "Back to settings" }).click();
  await page.getByText("Connected", { exact: true }).waitFor();
  await button(page, "Deauthorize").click();
  await page.getByText("Not Connected").waitFor();
  await waitForHolders(stage, []);
  await close();
});

/** A user's name on Discord's page. */
async function nameOf(page: Page, username: string): Promise<string> {
  await page.waitForURL("**/oauth2/authorize**");
  const labels = await page.getByRole("option").allTextContents();
  return labels.find((label) => label.includes(`(${username})`))?.trim() ?? "";
}

/** Waits until the screen has slid in and the first of the six boxes has the focus. */
async function boxesTakeKeys(page: Page) {
  await page.locator('[aria-label="Digit 1 of 6"]:focus').waitFor();
  await waitForAnimations(page);
}
