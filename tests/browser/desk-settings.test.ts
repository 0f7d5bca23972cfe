/** Products and Settings of the desk in a browser, on the shop's own answers. */
import { afterAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { partBytes } from "@/contract/desk/releases";
import { atDesk } from "../support/people/desk";
import { release } from "../support/shop/publish-release";
import { openShop } from "../support/shop/shop-in-browser";
import { eventually } from "../support/shop/stage";
import { axeFindings, openBrowser, signIn, sizes, still } from "./browser";

const browser = await openBrowser();
const stage = await openShop();
const folder = await mkdtemp(join(tmpdir(), "desk-release-"));
afterAll(async () => {
  await stage[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const olga = await atDesk(stage, "olga", "owner");
const reason = "a walk";
const made = async (path: string, body: object): Promise<string> => {
  const { status, body: answer } = await olga.post(path, { ...body, reason });
  expect([path, status]).toEqual([path, 200]);
  return answer.data.id;
};
await made("offers", { id: "month", name: "A month", amount: 499, days: 30 });
await made("codes", { code: "SPRING", percent: 20 });
await made("changelog", { title: "News", content: "Two\nlines" });
await made("keys", { name: "CRM" });
await made("blocks", { kind: "email", value: "eve@example.com" });
await made("replies", { name: "New token", text: "Copy it anew." });
await made("staff", { name_or_email: "new@example.com", role: "support" });
const endpoint = await made("webhooks", { url: "https://hooks.example.com/shop" });
await made(`webhooks/${endpoint}/test`, {});
await release(stage, "2.0.0");
const deliveries = await eventually(
  async () => {
    await stage.shop.webhooksOut?.run();
    return olga.get(`webhooks/deliveries?endpoint=${endpoint}`);
  },
  ({ body }) => body.data.rows.length > 0,
);
const delivery: string = deliveries.body.data.rows[0].id;

const paths = [
  ...["offers", "codes", "releases", "releases/new", "changelog", "announcements", "announcements/new"].map(
    (section) => `products/${section}`,
  ),
  ...["staff", "webhooks", `webhooks/${endpoint}`, `webhooks/deliveries/${delivery}`, "keys", "blocks"].map(
    (section) => `settings/${section}`,
  ),
  ...["issue", "replies", "mails", "shop", "system"].map((section) => `settings/${section}`),
];

for (const viewport of [sizes[0], sizes[2]])
  test(`products and settings stay within ${viewport.width} px, break no policy, and axe finds nothing`, async () => {
    const { page, close } = await visit(viewport);
    for (const path of paths) {
      await page.goto(new URL(`/desk/${path}`, stage.url).href, { waitUntil: "networkidle" });
      await page.locator("main h2").first().waitFor({ state: "attached" });
      const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect([path, await axeFindings(page), sideways]).toEqual([path, [], 0]);
    }
    await page.getByRole("link", { name: "Staff" }).click();
    await page.getByRole("button", { name: "Add staff" }).click();
    await page.getByRole("dialog", { name: "Add staff" }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await close();
  });

test("a letter is drawn in its own styles", async () => {
  const { page, close } = await visit(sizes[2]);
  await page.goto(new URL("/desk/products/announcements/new", stage.url).href);
  await page.getByLabel("Subject").fill("Sale");
  await page.getByLabel("Letter (Markdown)").fill("Hello **you**, [look](https://example.com)");
  await page.getByRole("button", { name: "Preview" }).click();
  const letter = page.frameLocator("iframe");
  await letter.getByText("Hello").first().waitFor();
  const styled = letter.locator("[data-style]").first();
  expect(await styled.evaluate((element) => element.style.cssText)).not.toBe("");
  expect(await letter.locator("a[href]").count()).toBe(0);
  await close();
});

test("an upload whose page was closed midway goes on in another, and is published", async () => {
  const path = join(folder, "wisp-2.9.0.exe");
  await Bun.write(path, new Uint8Array(partBytes + 1_000).fill(7));
  const first = await visit(sizes[2]);
  await first.page.route("**/parts/1?*", (route) => route.abort());
  await first.page.goto(new URL("/desk/products/releases/new", stage.url).href);
  await first.page.getByLabel("Files of the release").setInputFiles(path);
  await first.page.getByLabel("Version", { exact: true }).fill("2.9.0");
  await first.page.getByLabel("Title of the notes").fill("Faster");
  await first.page.getByText(/^SHA-256/).waitFor();
  await first.page.getByRole("button", { name: "Publish…" }).click();
  await first.page.getByLabel("Reason").fill(reason);
  await first.page.getByRole("button", { name: "Publish release" }).click();
  await first.page.getByText("Waits, and goes on by itself").waitFor();
  expect(await axeFindings(first.page)).toEqual([]);
  await first.close();

  const { page, close } = await visit(sizes[0]);
  await page.goto(new URL("/desk/products/releases", stage.url).href);
  await page.getByText("Not sent from this page").waitFor();
  await page.getByLabel("Files of 2.9.0").setInputFiles(path);
  await page.getByRole("button", { name: "Publish 2.9.0" }).click();
  await page.getByLabel("Reason").fill(reason);
  await page.getByRole("dialog").getByRole("button", { name: "Publish" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await stage.shop.worker.drain();
  await page.getByRole("grid", { name: "Releases" }).getByText("2.9.0").first().waitFor();
  await close();
});

/** A page of olga's whose faults and refused content fail the test when it is closed. */
async function visit(viewport: (typeof sizes)[number]) {
  const context = await browser.newContext({ ...still, viewport });
  await signIn(context, olga.person, stage.url);
  const page = await context.newPage();
  const wrong: string[] = [];
  page.on("pageerror", (error) => void wrong.push(error.message));
  page.on("console", (message) => {
    if (message.text().includes("Content Security Policy")) wrong.push(message.text());
  });
  const close = async () => {
    expect(wrong).toEqual([]);
    await context.close();
  };
  return { page, close };
}
