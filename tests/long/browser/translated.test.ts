/** Every form of a page that a browser's translator changes, without what mends such pages. */
import { afterAll, expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { minute } from "@/contract/vocabulary/time";
import { codeAt, member, turnOnMfa, wrongCode } from "../../stories/accounts/people";
import { atDesk, colleague } from "../../support/people/desk";
import { release } from "../../support/shop/publish-release";
import { openShop } from "../../support/shop/shop-in-browser";
import type { Person } from "../../support/people/person";
import { frames, typePassword, untilWhole } from "../../browser/browser";
import { translatePages } from "../../browser/translator";
import { visit } from "../../browser/visit";

const stage = await openShop({
  env: { LIMITS: "register-success=1000/60,checkout=1000/60,app=1000/60" },
});
afterAll(() => stage[Symbol.asyncDispose]());

const phrase = "a long enough phrase";

async function translated(person?: Person) {
  const opened = await visit(stage.url, person ? { person } : {});
  const { page } = opened;
  await translatePages(page, { unguarded: true });
  page.setDefaultTimeout(20_000);
  const to = async (path: string) => {
    // a fragment alone would load nothing
    await page.goto("about:blank");
    await opened.to(path);
    await page.locator("html[data-translated]").waitFor();
  };
  const press = (name: string | RegExp) => page.getByRole("button", { name }).first().click();
  /** Nothing failed, and the page still stands. */
  const stands = async () => {
    await untilWhole(page);
    expect(opened.wrong).toEqual([]);
    expect(await page.getByText("This page could not be displayed").count()).toBe(0);
  };
  return { ...opened, to, press, stands };
}

const says = (page: Page, words: string | RegExp) => page.getByText(words).first().waitFor();

test("a visitor finds an order, buys a gift, and opens the legal texts", async () => {
  const { page, to, press, stands, close } = await translated();
  await to("/find-order");
  await press(/^Find|^Send|^Email/);
  await page.getByRole("textbox").fill("nobody@example.com");
  await press(/^Find|^Send|^Email/);
  await says(page, /nobody@example\.com/);
  await stands();
  for (const path of ["/tos", "/commands", "/", "/?code=NOPE"]) {
    await to(path);
    await stands();
  }
  await says(page, /^: That code is unknown/);
  await press("Remove code");
  await page.getByText("Have a code?").click();
  await page.getByLabel("Promotion code").fill("NOPE");
  await press("Apply");
  await page.getByRole("alert").waitFor();
  await page.getByRole("link", { name: "Send as a gift" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Purchase gift" }).click();
  await dialog.getByText("Enter an email address").waitFor();
  await dialog.getByLabel("Their email").fill("bea@example.com");
  await dialog.getByText("Have a code?").click();
  await dialog.getByLabel("Promotion code").fill("NOPE");
  await dialog.getByRole("button", { name: "Purchase gift" }).click();
  await dialog.getByText(/^NOPE was removed/).waitFor();
  await stands();
  await to("/");
  await press(/^Purchase/);
  await page.waitForURL("**/c/pay/**");
  await close();
});

test("a buyer registers after a mistake, recovers the password, and signs in with each second factor", async () => {
  const { page, to, press, stands, close } = await translated();
  await to("/register");
  await press("Register");
  await page.getByLabel("Username").fill("cleo");
  await page.getByLabel("Email").fill("cleo@example.com");
  await page.locator('input[autocomplete="new-password"]').fill(phrase);
  for (const key of ["WISP-0000-0000-0000-0000", await stage.handOut()]) {
    await page.getByRole("textbox", { name: "License key" }).fill(key);
    await press("Register");
    if (key.includes("0000-0000")) await page.locator("[aria-invalid=true], [role=alert]").first().waitFor();
  }
  await page.waitForURL("**/dashboard");
  await stands();
  await to("/logout");
  await page.waitForURL(stage.url.href);

  await to("/forgot-pass");
  await press("Send Email");
  await page.getByRole("textbox", { name: "Email" }).fill("cleo@example.com");
  await press("Send Email");
  await page.getByLabel("Digit 1 of 6").waitFor();
  await stage.shop.worker.drain();
  const [mail] = stage.mail
    .messages("cleo@example.com")
    .filter(({ subject }) => subject === "Your verification code");
  const code = /\b\d{6}\b/.exec(mail?.text ?? "")?.[0] ?? "";
  for (const typed of [code === "000000" ? "000001" : "000000", code]) {
    await page
      .locator('[aria-label="Digit 1 of 6"]:focus')
      .or(page.getByLabel("Digit 1 of 6"))
      .first()
      .click();
    await page.keyboard.type(typed);
    if (typed !== code) await page.getByRole("alert").first().waitFor();
  }
  await page.getByLabel("New Password", { exact: true }).fill("short");
  await press("Reset");
  await page.getByLabel("New Password", { exact: true }).fill("a whole new phrase");
  await press("Reset");
  await page.waitForURL("**/login");
  await stands();

  const dora = await member(stage, "dora");
  const { secret, recoveryCodes } = await turnOnMfa(stage, dora);
  await page.getByLabel("Username").fill("dora");
  for (const password of ["not the right phrase", phrase]) {
    await page.getByLabel("Password", { exact: true }).fill(password);
    await press("Login");
    if (password !== phrase) await page.getByRole("alert").first().waitFor();
  }
  await page.locator('[aria-label="Digit 1 of 6"]:focus').waitFor();
  await page.keyboard.type(wrongCode(stage, secret));
  await page.locator("[aria-invalid=true], [role=alert]").first().waitFor();
  await press("Use a recovery code");
  await page.getByLabel("Recovery code").fill("aaaa-bbbb-cccc");
  await press("Confirm");
  await page.locator("[aria-invalid=true], [role=alert]").first().waitFor();
  await page.getByLabel("Recovery code").fill(recoveryCodes[0] ?? "");
  await press("Confirm");
  await page.waitForURL("**/dashboard");
  await stands();
  await close();
});

test("a customer redeems, asks support, answers, closes and rates, and lets a computer in", async () => {
  const person = stage.person();
  await person.register(await stage.handOut(30), "emil");
  const { page, to, press, stands, close } = await translated(person);
  await to("/dashboard/license");
  for (const key of ["WISP-0000-0000-0000-0000", await stage.handOut(30)]) {
    await page.getByPlaceholder(/^WISP/).fill(key);
    await press("Redeem");
    await (key.includes("0000-0000")
      ? page.getByRole("alert").first().waitFor()
      : says(page, /^Successfully redeemed/));
  }
  await stands();

  await to("/dashboard/tickets?new");
  await press("Device");
  await page.getByRole("textbox").fill("It says no since the update");
  await press("Send");
  await page.getByRole("heading", { name: /^Ticket #/ }).waitFor();
  await page.getByRole("textbox").fill("Since yesterday");
  await press("Send");
  await page.getByRole("log").getByText("Since yesterday").waitFor();
  await press("Close ticket");
  await page.getByRole("dialog").getByRole("button", { name: "Close ticket" }).click();
  await says(page, "How did we do?");
  await page.locator("label:has(input[type=radio])").nth(4).click();
  await press("Send rating");
  await says(page, "Thank you.");
  await stands();

  const application = stage.person();
  const asked = await application.post("/api/app/v1/device/code", {
    hwid: "hardware-id-of-studio",
    label: "Studio",
    os: "Windows 11",
    version: "1.0.0",
  });
  await to("/device");
  for (const code of ["BBBB-BBBB", String(asked.body.user_code)]) {
    await page.getByLabel("Code", { exact: true }).fill(code);
    await press("Continue");
    if (code.startsWith("BBBB-B")) await page.locator("[aria-invalid=true], [role=alert]").first().waitFor();
  }
  await page.getByRole("heading", { name: "Is this your computer?" }).waitFor();
  await press("Approve");
  await typePassword(page, phrase);
  await page.getByRole("heading", { name: "Studio is approved" }).waitFor();
  await stands();
  await to("/dashboard/settings#offline");
  await press("Download license.lic");
  await page.locator("[aria-invalid=true]").first().waitFor();
  await stands();
  await close();
});

test("a customer changes every setting", async () => {
  const person = await member(stage, "fay");
  await stage.person().post("/api/auth/login", { username: "fay", password: phrase });
  const { page, to, press, stands, close } = await translated(person);
  const dialog = page.getByRole("dialog");
  await to("/dashboard/settings");
  await press("Enable two-factor");
  await typePassword(page, phrase);
  await page.getByAltText("QR code").waitFor();
  const secret = ((await page.locator("code").textContent()) ?? "").replaceAll(" ", "");
  await page.keyboard.type(wrongCode(stage, secret));
  await says(page, "Invalid security code");
  await page.keyboard.type(codeAt(stage, secret));
  await page.getByLabel("I have saved these codes").check();
  await press("Done");
  await dialog.waitFor({ state: "detached" });
  await stands();
  stage.advance(minute);

  await press("Edit");
  await page.getByLabel("Email", { exact: true }).fill("fay.new@example.com");
  await page.getByLabel("Password", { exact: true }).fill("not the right phrase");
  await page.getByLabel("Digit 1 of 6").click();
  await page.keyboard.type(wrongCode(stage, secret));
  await press("Save");
  await page.locator("[aria-invalid=true]").first().waitFor();
  await stands();
  await press("Cancel");
  await press("Change Password");
  await dialog
    .getByRole("button", { name: /Change|Save/ })
    .first()
    .click();
  await page.keyboard.press("Escape");
  await to("/dashboard/settings#data");
  await press("Delete account");
  await dialog.getByLabel("Password", { exact: true }).fill("not the right phrase");
  await dialog.getByRole("button", { name: /^Delete/ }).click();
  await page.locator("[aria-invalid=true], [role=alert], [data-sonner-toast]").first().waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await stands();

  await to("/dashboard/settings#security");
  await press("Sign out others");
  await dialog.getByRole("button", { name: "Sign out others" }).click();
  await page.locator("[data-sonner-toast]").first().waitFor();
  await stands();
  for (const tab of ["details", "security", "license", "payments", "hwid"]) {
    await to(`/dashboard/account#${tab}`);
    await stands();
  }
  await to("/dashboard/settings#appearance");
  await stands();
  await close();
});

/** Pages of the desk, each of whose buttons is pressed. */
const places = [
  "",
  "customers",
  "payments",
  "licences",
  "subscriptions",
  "refunds",
  "corrections",
  "tickets",
  "audit",
  ...["offers", "codes", "releases", "changelog", "announcements"].map((name) => `products/${name}`),
  ...["staff", "webhooks", "keys", "blocks", "issue", "replies", "mails", "shop", "system"].map(
    (name) => `settings/${name}`,
  ),
];

test("staff enter the desk, and every button and form of it works", async () => {
  const olga = await atDesk(stage, "olga", "owner");
  await release(stage, "2.0.0");
  const gus = await member(stage, "gus");
  await gus.post("/api/tickets", { topic: "device", question: "Why?" });
  await stage.buy("gus@example.com");
  const made = (path: string, body: object) => olga.post(path, { ...body, reason: "a walk" });
  await made("codes", { code: "SPRING", percent: 20 });
  await made("changelog", { title: "News", content: "Two\nlines" });
  await made("keys", { name: "CRM" });
  await made("blocks", { kind: "email", value: "eve@example.com" });
  await made("replies", { name: "New token", text: "Copy it anew." });
  await made("staff", { name_or_email: "new@example.com", role: "support" });
  const first = async (list: string): Promise<string> => (await olga.get(list)).body.data.rows[0].id;
  const pages = [...places];
  for (const list of ["customers", "payments", "licences", "tickets"])
    pages.push(`${list}/${await first(list)}`);

  const ida = await colleague(stage, "ida", "owner");
  const entering = await translated(ida.person);
  await entering.to("/desk");
  for (const code of [wrongCode(stage, ida.secret), codeAt(stage, ida.secret)]) {
    await entering.page.locator('[aria-label="Digit 1 of 6"]:focus').waitFor();
    await entering.page.keyboard.type(code);
    if (code !== codeAt(stage, ida.secret))
      await entering.page.locator("[aria-invalid=true], [role=alert]").first().waitFor();
  }
  await entering.page.getByRole("heading", { level: 1, name: "Today" }).waitFor({ state: "attached" });
  await entering.stands();
  await entering.close();

  await olga.confirm();
  const { page, to, stands, close } = await translated(olga.person);
  page.on("download", (download) => void download.cancel());
  for (const path of pages) {
    await to(`/desk/${path}`);
    await stands();
    const buttons = page.locator("main button:visible:enabled");
    for (let at = 0; at < Math.min(await buttons.count(), 25); at++) {
      const name = (await buttons.nth(at).textContent()) ?? "";
      // a dialog whose code came late may have opened only now
      const button = buttons.nth(at);
      await button.click({ timeout: 2_000 }).catch(() => useDialog(page).then(() => button.click()));
      await useDialog(page);
      expect([path, name, await page.getByText("This page could not be displayed").count()]).toEqual([
        path,
        name,
        0,
      ]);
      await stands();
      if (!page.url().endsWith(`/desk/${path}`)) await to(`/desk/${path}`);
    }
  }
  await close();
});

/** Presses a button, unless its dialog closes first. */
async function press(button: Locator) {
  if (!(await button.isVisible())) return;
  await button.click({ timeout: 5_000 }).catch(async (error: unknown) => {
    if (await button.isVisible()) throw error;
  });
}

/** Sends the form of an open dialog empty, then filled; then closes what is open. */
async function useDialog(page: Page) {
  const dialog = page.locator("[role=dialog][data-state=open], [role=alertdialog][data-state=open]").last();
  const send = dialog.locator("button[type=submit]:visible:enabled");
  const fields = dialog.locator("input[type=text]:visible, input[type=email]:visible, textarea:visible");
  const item = page.locator("[role=menu][data-state=open] [role=menuitem]").first();
  if (await item.isVisible()) await item.click();
  // a dialog that has to be loaded first opens a moment later
  for (let times = 0; times < 5 && !(await dialog.isVisible()); times++) await frames(page);
  await press(send);
  await untilWhole(page);
  for (const field of await fields.all())
    await field.fill("a walk", { timeout: 5_000 }).catch(async (error: unknown) => {
      // a form that asks for nothing was sent, and its dialog went with the answer
      if (await field.isVisible()) throw error;
    });
  await press(send);
  await untilWhole(page);
  for (let times = 0; times < 100 && (await dialog.isVisible()); times++) {
    const done = dialog.getByRole("button", { name: "Done" });
    if (await done.isVisible()) await done.click();
    await page.keyboard.press("Escape");
    await frames(page);
  }
}
