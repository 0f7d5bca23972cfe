/** Products and Settings of the desk in a browser, on the shop's own answers. */
import { afterAll, expect, test } from "bun:test";
import { atDesk } from "../../support/people/desk";
import { release } from "../../support/shop/publish-release";
import { openShop } from "../../support/shop/shop-in-browser";
import { eventually } from "../../support/shop/stage";
import { axeFindings, sizes, tooWide } from "../../browser/browser";
import { visit } from "../../browser/visit";

const stage = await openShop();
afterAll(() => stage[Symbol.asyncDispose]());

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

test("products and settings stay within a phone and a computer, break no policy, and axe finds nothing", async () => {
  const { page, to, close } = await visit(stage.url, { person: olga.person });
  for (const path of paths) {
    await page.setViewportSize(sizes[2]);
    await to(`/desk/${path}`);
    await page.locator("main h2").first().waitFor({ state: "attached" });
    const wide = await tooWide(page);
    expect([path, await axeFindings(page), wide]).toEqual([path, [], []]);
  }
  await page.setViewportSize(sizes[2]);
  await page.getByRole("link", { name: "Staff" }).click();
  await page.getByRole("button", { name: "Add staff" }).click();
  await page.getByRole("dialog", { name: "Add staff" }).waitFor();
  expect([await tooWide(page), await axeFindings(page)]).toEqual([[], []]);
  await close();
});

test("a letter is drawn in its own styles", async () => {
  const { page, close } = await visit(stage.url, { person: olga.person });
  await page.goto(new URL("/desk/products/announcements/new", stage.url).href);
  await page.getByLabel("Subject").fill("Sale");
  await page.getByLabel("Message (Markdown)").fill("Hello **you**, [look](https://example.com)");
  await page.getByRole("button", { name: "Preview" }).click();
  const letter = page.frameLocator("iframe");
  await letter.getByText("Hello").first().waitFor();
  const styled = letter.locator("[data-style]").first();
  expect(await styled.evaluate((element) => element.style.cssText)).not.toBe("");
  expect(await letter.locator("a[href]").count()).toBe(0);
  await close();
});
