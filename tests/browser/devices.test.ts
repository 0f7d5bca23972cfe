import { expect, test } from "bun:test";
import { minute } from "@/contract/vocabulary/time";
import { customerWith, listed } from "../stories/devices/computers";
import { typePassword } from "./browser";
import { as, askForCode, heading, password, press, stage } from "./journeys/devices";

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
  await page.getByText("1 of 2 places in use").waitFor();
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
  await typePassword(page, password);
  await heading(page, "New laptop is approved");
  stage.advance(minute);
  expect((await poll()).body.token_type).toBe("bearer");
  // the password that was typed began another session
  await person.post("/api/auth/login", { username: "cleo", password });
  expect(Object.keys(await listed(person))).toEqual(["New laptop"]);
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
  await typePassword(page, password);
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
});
