import { afterAll, expect, test } from "bun:test";
import { openShop } from "../../support/shop/shop-in-browser";
import { axeFindings, openBrowser, signIn, sizes, still } from "../../browser/browser";
import {
  canceledGift,
  customer,
  isInFirstView,
  pending,
  sentToSignIn,
  stranger,
} from "../../browser/journeys/buying";
import { confirmation, mailsTo } from "../../stories/accounts/people";

const browser = await openBrowser();
const stage = await openShop();
afterAll(() => stage[Symbol.asyncDispose]());

for (const size of sizes) {
  const at = `at ${size.width}`;
  test(`a stranger sees the key and Register first, ${at}`, () => stranger(size));
  test(`a customer sees until when the license runs, and Download, ${at}`, () => customer(size));
  // the rest of what somebody sees at a computer is looked at every day
  if (size === sizes[2]) continue;
  test(`a canceled gift is tried again with the same receiver and words, ${at}`, () => canceledGift(size));
  test(`a pending payment says what happens next, and becomes the result by itself, ${at}`, () =>
    pending(size));
  test(`somebody who is sent to sign in reads why, and comes back with the file they wanted, ${at}`, () =>
    sentToSignIn(size));
}

test("a phone sends the download page to its owner's computer", async () => {
  const context = await browser.newContext({
    ...still,
    viewport: { width: 360, height: 740 },
    userAgent: "Mozilla/5.0 (Linux; Android 16; Pixel 10) AppleWebKit/537.36 Chrome/143 Mobile Safari/537.36",
  });
  const person = stage.person();
  await person.register(await stage.handOut(), "phoner");
  await signIn(context, person, stage.url);
  const page = await context.newPage();
  await page.goto(new URL("/dashboard/download?file=win_exe", stage.url).href);
  const card = page.getByRole("region", { name: "On your computer" });
  await card.getByText("Open this page on your computer to install Wisp.").waitFor();
  expect(await isInFirstView(page, card)).toBe(true);
  await card.getByRole("button", { name: "Copy the download link" }).waitFor();
  const { token } = await confirmation(stage, "phoner@example.com");
  expect((await person.post("/api/user/email/confirm", { token })).status).toBe(200);
  await page.reload();
  await card.getByRole("button", { name: "Email me the download link" }).click();
  await card.getByText("Sent to phoner@example.com. Open it on your computer.").waitFor();
  const [mail] = await mailsTo(stage, "phoner@example.com");
  expect(mail?.text).toContain("/dashboard/download?file=win_exe");
  expect(await axeFindings(page)).toEqual([]);
  await context.close();
});
