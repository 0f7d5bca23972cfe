import { afterAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { minute } from "@/contract/time";
import { changeLicence } from "@/domain/licences/change";
import { licenceOfKey } from "@/domain/licences/find";
import { by, customerWith, listed } from "../stories/devices/computers";
import type { Person } from "../support/people/person";
import { openShop } from "../support/shop/shop-in-browser";
import { findingsAtBothWidths, openBrowser, openPage, signIn } from "./browser";

const browser = await openBrowser();

const stage = await openShop({ env: { LIMITS: "register-success=1000/60,app=1000/60" } });
afterAll(() => stage[Symbol.asyncDispose]());

const password = "a long enough phrase";

async function as(person: Person | null) {
  const { context, page, wrong } = await openPage(browser);
  page.on("console", (message) => {
    if (/content security policy/i.test(message.text())) wrong.push(message.text());
  });
  if (person) await signIn(context, person, stage.url);
  const to = (path: string) => page.goto(new URL(path, stage.url).href, { waitUntil: "networkidle" });
  const look = async (what: string) => {
    expect([what, await findingsAtBothWidths(page, what)]).toEqual([what, []]);
    const folder = process.env["PICTURES"];
    for (const width of folder ? [360, 1440] : []) {
      await page.setViewportSize({ width, height: 900 });
      await page.screenshot({ path: `${folder}/${what.replaceAll(" ", "-")}-${width}.png`, fullPage: true });
    }
  };
  return { page, wrong, to, look, [Symbol.asyncDispose]: () => context.close() };
}

const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).click();
const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { name }).waitFor();

/** What an application on another computer does: asks for a code, and fetches its token later. */
async function askForCode(name: string) {
  const application = stage.person();
  const asked = await application.post("/api/app/v1/device/code", {
    hwid: `hardware-id-of-${name}`,
    label: name,
    os: "Windows 11",
    version: "1.0.0",
  });
  expect(asked.status).toBe(200);
  const { device_code, user_code, verification_uri_complete } = asked.body;
  const poll = () =>
    application.post("/api/app/v1/device/token", {
      grant_type: "urn:ietf:params:oauth:grant-type:device_code",
      device_code,
    });
  return { code: user_code as string, link: new URL(verification_uri_complete), poll };
}

test("a link's code is looked up only by a press, and approved only by another, on a phone and on a computer", async () => {
  const { person } = await customerWith(stage, 2, { name: "ada" });
  const { code, link, poll } = await askForCode("Studio");
  await using visitor = await as(person);
  const { page, look } = visitor;
  await visitor.to(link.pathname + link.search);
  await heading(page, "Sign in on a computer");
  expect(await page.getByLabel("Code", { exact: true }).inputValue()).toBe(code);
  await look("the code");
  expect((await poll()).body.error).toBe("authorization_pending");
  await press(page, "Continue");
  await heading(page, "Is this your computer?");
  await page.getByText("Studio", { exact: true }).waitFor();
  await look("the question");
  await press(page, "Approve");
  await heading(page, "Studio is approved");
  await look("the answer");
  stage.advance(minute);
  expect((await poll()).body.token_type).toBe("bearer");
  await page.getByRole("link", { name: "See your computers" }).click();
  await page.getByRole("heading", { name: "Studio" }).waitFor();
  await page.getByText("1 of 2 places in use").waitFor();
  expect(visitor.wrong).toEqual([]);
});

test("somebody who is not signed in comes back to the code after signing in", async () => {
  await customerWith(stage, 1, { name: "bea" });
  const { code, link } = await askForCode("Bea's");
  await using visitor = await as(null);
  const { page } = visitor;
  await visitor.to(link.pathname + link.search);
  await page.getByLabel("Username").fill("bea");
  await page.getByLabel("Password", { exact: true }).fill(password);
  await press(page, "Login");
  await page.waitForURL("**/device?**");
  expect(await page.getByLabel("Code", { exact: true }).inputValue()).toBe(code);
  await press(page, "Continue");
  await press(page, "Deny");
  await heading(page, "Denied");
  expect(visitor.wrong).toEqual([]);
});

test("a full account removes a computer and goes on", async () => {
  const { person, app } = await customerWith(stage, 1, { name: "cleo" });
  await app.activate("Old desktop");
  const { link, poll } = await askForCode("New laptop");
  await using visitor = await as(person);
  const { page, look } = visitor;
  await visitor.to(link.pathname + link.search);
  await press(page, "Continue");
  await press(page, "Approve");
  await page.getByRole("button", { name: "Remove Old desktop" }).waitFor();
  await look("the full account");
  await press(page, "Remove Old desktop");
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
  await press(page, "Approve");
  await heading(page, "New laptop is approved");
  stage.advance(minute);
  expect((await poll()).body.token_type).toBe("bearer");
  expect(Object.keys(await listed(person))).toEqual(["New laptop"]);
  expect(visitor.wrong).toEqual([]);
});

test("an unknown code, and an account without a license, are told what to do", async () => {
  const { person, key } = await customerWith(stage, 1, { name: "dora" });
  await using visitor = await as(person);
  const { page, look } = visitor;
  await visitor.to("/device?user_code=BBBB-BBBB");
  await press(page, "Continue");
  await page.getByText(/^No computer is waiting with this code/).waitFor();
  await look("an unknown code");
  const licence = await licenceOfKey(stage.ctx, key);
  if (!licence) throw new Error("the shop made it");
  await changeLicence(stage.ctx, licence, "revoke", by);
  const { link } = await askForCode("Dora's");
  await visitor.to(link.pathname + link.search);
  await press(page, "Continue");
  await page.getByRole("link", { name: "Buy a license" }).waitFor();
  await look("no license");
  expect(visitor.wrong).toEqual([]);
});

test("an account without a license buys one and comes back to its code", async () => {
  const { person, key } = await customerWith(stage, 1, { name: "gus" });
  const licence = await licenceOfKey(stage.ctx, key);
  if (!licence) throw new Error("the shop made it");
  await changeLicence(stage.ctx, licence, "revoke", by);
  const { code, link, poll } = await askForCode("Gus's");
  await using visitor = await as(person);
  const { page, look } = visitor;
  await visitor.to(link.pathname + link.search);
  await press(page, "Continue");
  await page.getByRole("link", { name: "Buy a license" }).click();
  await page.getByRole("button", { name: "Buy", exact: true }).click();
  await page.waitForURL("**/c/pay/**");
  await page.fill("#number", "4242 4242 4242 4242");
  await page.fill("#expiry", "12 / 40");
  await page.fill("#cvc", "123");
  await page.fill("#name", "Gus");
  await page.click("button.primary");
  await page.waitForURL("**/success**");
  await page.getByRole("link", { name: `Continue with code ${code}` }).waitFor();
  await look("the bought license");
  // also by way of the License page
  await page.getByRole("link", { name: "Your licenses" }).click();
  await page.getByText("Your computer is waiting to sign in").waitFor();
  await look("the waiting computer");
  await page.getByRole("link", { name: `Continue with code ${code}` }).click();
  await press(page, "Continue");
  await press(page, "Approve");
  await heading(page, "Gus's is approved");
  expect((await poll()).body.token_type).toBe("bearer");
  expect(visitor.wrong).toEqual([]);
});

test("Settings lists computers, renames one and removes one, on a phone and on a computer", async () => {
  const { person, app } = await customerWith(stage, 3, { name: "eve" });
  for (const name of ["Desktop", "Laptop"]) await app.activate(name);
  await using visitor = await as(person);
  const { page, look } = visitor;
  await visitor.to("/dashboard/settings");
  await page.getByText("2 of 3 places in use").waitFor();
  await look("Settings");
  await press(page, "Rename Laptop");
  await page.getByLabel("Name", { exact: true }).fill("At my parents'");
  await press(page, "Save");
  await page.getByRole("heading", { name: "At my parents'" }).waitFor();
  await press(page, "Remove Desktop");
  await page
    .getByText(/its place is free at once\. The same place can be freed again 30 days later/)
    .waitFor();
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
  await page.getByText("1 of 3 places in use").waitFor();
  expect(Object.keys(await listed(person))).toEqual(["At my parents'"]);
  expect(visitor.wrong).toEqual([]);
});

test("a request becomes license.lic, and its computer keeps its place", async () => {
  const { person } = await customerWith(stage, 2, { name: "fay" });
  await using visitor = await as(person);
  const { page, look } = visitor;
  await visitor.to("/dashboard/offline");
  const hwid_hash = new Bun.CryptoHasher("sha256").update("a lab's hardware ID").digest("base64url");
  const request = Buffer.from(JSON.stringify({ hwid_hash, label: "Lab", os: "Windows 10" })).toString(
    "base64url",
  );
  await page.getByLabel("The application's request").fill(request);
  await page.getByText("For Lab, Windows 10.").waitFor();
  await look("the request");
  const downloading = page.waitForEvent("download");
  await press(page, "Download license.lic");
  const download = await downloading;
  expect(download.suggestedFilename()).toBe("license.lic");
  const text = await Bun.file(await download.path()).text();
  expect(text).toStartWith("-----BEGIN LICENSE FILE-----\n");
  await page.getByText("license.lic for Lab is in your downloads").waitFor();
  await page.getByText(/It is good until \w{3} \d+, \d{4} at/).waitFor();
  await look("the file");
  await page.getByRole("link", { name: "See your computers" }).click();
  await page.getByText(/^Offline until/).waitFor();
  await page.getByRole("button", { name: "Remove in 30 days" }).waitFor();
  expect(visitor.wrong).toEqual([]);
});
