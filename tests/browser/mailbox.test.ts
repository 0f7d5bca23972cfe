import { afterAll, beforeAll, expect, test } from "bun:test";
import { createTransport } from "nodemailer";
import { type MailSimulator, startMailSimulator } from "@/simulators/mail/simulator";
import { openBrowser } from "./browser";

/** A host that an email must not reach. */
const elsewhere = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch: ({ url }) => (reached.push(url), new Response()),
});
const reached: string[] = [];

const hostile = [
  `<script>parent.document.title = "owned"; document.title = "owned"</script>`,
  `<img src="x" onerror="parent.document.title = 'owned'">`,
  `<img src="${elsewhere.url}pixel">`,
  `<form action="${elsewhere.url}"><button id="submit">go</button></form>`,
  `<meta http-equiv="refresh" content="0; url=${elsewhere.url}refresh">`,
  `<a href="javascript:opener.document.title='owned'" id="evil">x</a>`,
].join("");

const browser = await openBrowser();
let simulator: MailSimulator;
beforeAll(async () => {
  simulator = await startMailSimulator();
  const client = createTransport(simulator.smtpUrl);
  const email = { from: "shop@shop.test", to: "ada@example.com" };
  await client.sendMail({ ...email, subject: hostile, text: hostile, html: hostile });
  const link = `<a id="link" href="${simulator.url}/?to=followed">follow</a>`;
  await client.sendMail({
    ...email,
    subject: "a link",
    html: `<html><head></head><body>${link}</body></html>`,
  });
});
afterAll(async () => {
  await simulator.stop();
  await elsewhere.stop(true);
});

test("a hostile email runs nothing, loads nothing and links nowhere", async () => {
  const context = await browser.newContext();
  for (const path of ["/", "/messages/000001", "/messages/000001/html"]) {
    const page = await context.newPage();
    await page.goto(simulator.url + path, { waitUntil: "networkidle" });
    for (const box of path === "/" ? [] : page.frames().slice(-1)) {
      await box.locator("#submit").click();
      await box.locator("#evil").click();
    }
  }
  const titles = await Promise.all(context.pages().map((page) => page.title()));
  expect(titles).not.toContain("owned");
  expect(reached).toEqual([]);
  await context.close();
});

test("a link in an email opens in a new tab", async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${simulator.url}/messages/000002`);
  const opened = context.waitForEvent("page");
  await page.frameLocator("iframe").locator("#link").click();
  const tab = await opened;
  await tab.waitForLoadState();
  expect(await tab.getByText("No mail yet").isVisible()).toBe(true);
  await context.close();
});

test.each([360, 1440])("the mailbox fits a screen of %i px", async (width) => {
  const page = await browser.newPage({ viewport: { width, height: 800 } });
  for (const path of ["/", "/messages/000001", "/nothing"]) {
    await page.goto(simulator.url + path);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
  await page.close();
});
