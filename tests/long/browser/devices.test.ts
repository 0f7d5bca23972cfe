import { expect, test } from "bun:test";
import { changeLicence } from "@/domain/licences/changes/change";
import { licenceOfKey } from "@/domain/licences/keys/find";
import { by, customerWith, listed } from "../../stories/devices/computers";
import { payAtStripe, typePassword } from "../../browser/browser";
import { as, askForCode, heading, password, press, stage } from "../../browser/journeys/devices";

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
  await payAtStripe(page);
  await page.getByRole("link", { name: `Continue with code ${code}` }).waitFor();
  await look("the bought license");
  // also by way of the License page
  await page.getByRole("link", { name: "Your licenses" }).click();
  await page.getByText("Your computer is waiting to sign in").waitFor();
  await look("the waiting computer");
  await page.getByRole("link", { name: `Continue with code ${code}` }).click();
  await press(page, "Continue");
  await press(page, "Approve");
  await typePassword(page, password);
  await heading(page, "Gus's is approved");
  expect((await poll()).body.token_type).toBe("bearer");
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
    .getByText(/its place is free at once\. In 30 days you can remove as many computers as you have places/)
    .waitFor();
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
  await page.getByText("1 of 3 places in use").waitFor();
  expect(Object.keys(await listed(person))).toEqual(["At my parents'"]);
});
