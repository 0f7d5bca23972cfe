/** Pages that a browser's translator changes. */
import { afterAll, expect, test } from "bun:test";
import { openShop } from "../support/shop/shop-in-browser";
import { translatePages } from "./translator";
import { visit } from "./visit";

const stage = await openShop({ env: { LIMITS: "register-success=1000/60" } });
afterAll(() => stage[Symbol.asyncDispose]());

test("a translated buyer registers, and signs in after a wrong password", async () => {
  const { page, to, close } = await visit(stage.url);
  await translatePages(page, { unguarded: true });
  await to("/register");
  await page.locator("html[data-translated]").waitFor();
  await page.getByLabel("Username").fill("ada");
  await page.getByLabel("Email").fill("ada@example.com");
  await page.locator('input[autocomplete="new-password"]').fill("a long enough phrase");
  await page.getByRole("textbox", { name: "License key" }).fill(await stage.handOut());
  await page.getByRole("button", { name: "Register" }).click();
  await page.waitForURL("**/dashboard");
  await to("/logout");
  await page.waitForURL(stage.url.href);
  await to("/login");
  await page.locator("html[data-translated]").waitFor();
  await page.getByLabel("Username").fill("ada");
  for (const password of ["another long phrase", "a long enough phrase"]) {
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.getByRole("button", { name: "Login" }).click();
    if (password.startsWith("another")) await page.getByRole("alert").first().waitFor();
  }
  await page.waitForURL("**/dashboard");
  await close();
});

test("an element that still has bare text is drawn as it is, however early the translator comes", async () => {
  const { page, to, wrong, context } = await visit(stage.url);
  await translatePages(page, { early: true });
  await to("/login");
  await page.getByRole("button", { name: "Login" }).click();
  await page.getByText("Enter your username").waitFor();
  const drawn = await page.evaluate(async () => {
    const paragraph = document.createElement("p");
    const [first, second, third] = ["One ", "two ", "three"].map((text) => document.createTextNode(text));
    if (!first || !second || !third) throw new Error("no texts");
    paragraph.append(first, second, third);
    document.body.append(paragraph);
    const translated = () => new Promise(requestAnimationFrame);
    await translated();
    const seen = [[...paragraph.childNodes].map(({ nodeName }) => nodeName).join(" ")];
    second.nodeValue = "2 ";
    await translated();
    paragraph.insertBefore(document.createElement("b"), third).textContent = "and ";
    paragraph.removeChild(first);
    await translated();
    return [
      ...seen,
      [...paragraph.childNodes].map(({ nodeName }) => nodeName).join(" "),
      paragraph.textContent,
    ];
  });
  expect(drawn).toEqual(["FONT FONT FONT", "FONT B FONT", "2 and three"]);
  // what it changed before React came is drawn anew, of which React tells
  expect(wrong.filter((sentence) => !sentence.includes("React error #418"))).toEqual([]);
  await context.close();
});
