/** Computers that ask to be let in. */
import { afterAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { minute } from "@/contract/vocabulary/time";
import { customerWith, listDevices } from "../stories/devices/computers";
import type { Person } from "../support/people/person";
import { openShop } from "../support/shop/shop-in-browser";
import { findingsAtBothWidths, typePassword } from "./browser";
import { visit } from "./visit";

const stage = await openShop({ env: { LIMITS: "register-success=1000/60,app=1000/60" } });
afterAll(() => stage[Symbol.asyncDispose]());

const password = "a long enough phrase";

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
  await typePassword(page, password);
  await heading(page, "Studio is approved");
  await look("the answer");
  stage.advance(minute);
  expect((await poll()).body.token_type).toBe("bearer");
  await page.getByRole("link", { name: "See your computers" }).click();
  await page.getByRole("heading", { name: "Studio" }).waitFor();
  await page.getByText("1 of 2 computers").waitFor();
  // as the email about a new computer leads there
  await page.goto("about:blank");
  await page.setViewportSize({ width: 360, height: 740 });
  await visitor.to("/dashboard/settings#devices");
  await page.getByRole("heading", { name: "Studio" }).waitFor();
  await page.waitForFunction(() => {
    const card = document.querySelector("#devices")?.getBoundingClientRect();
    return card !== undefined && card.top > 0 && card.top < innerHeight / 2;
  });
});

test("a full account removes a computer and continues", async () => {
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
  await typePassword(page, password);
  await heading(page, "New laptop is approved");
  stage.advance(minute);
  expect((await poll()).body.token_type).toBe("bearer");
  // the password that was typed began another session
  await person.post("/api/auth/login", { username: "cleo", password });
  expect(Object.keys(await listDevices(person))).toEqual(["New laptop"]);
});

test("a request becomes license.lic, and its computer keeps its seat", async () => {
  const { person } = await customerWith(stage, 2, { name: "fay" });
  await using visitor = await as(person);
  const { page, look } = visitor;
  await visitor.to("/dashboard/settings#offline");
  const hwid_hash = new Bun.CryptoHasher("sha256").update("a lab's hardware ID").digest("base64url");
  const request = Buffer.from(JSON.stringify({ hwid_hash, label: "Lab", os: "Windows 10" })).toString(
    "base64url",
  );
  await page.getByLabel("The application's request").fill(request);
  await page.getByText("For Lab, Windows 10.").waitFor();
  await look("the request");
  const downloading = page.waitForEvent("download");
  await press(page, "Download license.lic");
  await typePassword(page, password);
  const download = await downloading;
  expect(download.suggestedFilename()).toBe("license.lic");
  const text = await Bun.file(await download.path()).text();
  expect(text).toStartWith("-----BEGIN LICENSE FILE-----\n");
  await page.getByText("license.lic for Lab is in your downloads").waitFor();
  await page.getByText(/It's valid until \w{3} \d+, \d{4} at/).waitFor();
  await look("the file");
  await page.getByText(/^Offline until/).waitFor();
  await page.getByRole("button", { name: "Remove in 30 days" }).waitFor();
});

async function as(person: Person) {
  const { page, to, close } = await visit(stage.url, { person });
  const look = async (what: string) => {
    expect([what, await findingsAtBothWidths(page, what)]).toEqual([what, []]);
  };
  return { page, to, look, [Symbol.asyncDispose]: close };
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
