/** The desk in a browser, on the shop's own answers. */
import { afterAll, expect, test } from "bun:test";
import { minute } from "@/contract/vocabulary/time";
import { codeAt } from "../../stories/accounts/people";
import { atDesk, colleague } from "../../support/people/desk";
import { openShop } from "../../support/shop/shop-in-browser";
import { axeFindings, shiftOf, sizes, tooWide } from "../../browser/browser";
import { byKeyboard } from "../../browser/by-keyboard";
import { visit } from "../../browser/visit";

const stage = await openShop({ env: { LIMITS: "register-success=1000/60" } });
afterAll(() => stage[Symbol.asyncDispose]());

const olga = await atDesk(stage, "olga", "owner");
await stage.person().register((await stage.buy("ada@example.com")).key, "ada");
await stage.buy("somebody@example.com");
const first = async (list: string): Promise<string> => (await olga.get(list)).body.data.rows[0].id;
const ids = {
  customers: await first("customers"),
  payments: await first("payments"),
  licences: await first("licences"),
};

const lists = ["customers", "payments", "licences", "refunds", "corrections", "audit"];
const paths = ["", ...lists, ...Object.entries(ids).map(([list, id]) => `${list}/${id}`), "nowhere"];

test("every page stays within every width and still, breaks no policy, and axe finds nothing", async () => {
  for (const viewport of [sizes[2], sizes[0]]) {
    const { page, to, close } = await visit(stage.url, { person: olga.person, slowly: true, viewport });
    for (const path of paths) {
      await to(`/desk/${path}`);
      await page.locator("main h1:not(.sr-only)").first().waitFor();
      if (path === "") await page.locator(".recharts-bar-rectangle").first().waitFor();
      const shift = await shiftOf(page);
      const found = viewport === sizes[0] ? [] : await axeFindings(page);
      const wide = await tooWide(page, viewport === sizes[0] ? [sizes[0]] : [sizes[1], sizes[2]]);
      expect([path, found, shift <= 0.02 || shift, wide]).toEqual([path, [], true, []]);
    }
    await close();
  }
});

for (const viewport of [sizes[0], sizes[2]]) {
  test(`staff sign in, enter, find a payment and read it without a mouse, at ${viewport.width} px`, async () => {
    const name = `sam-${viewport.width}`;
    const { secret } = await colleague(stage, name, "support");
    const { page, close } = await visit(stage.url, { viewport });
    const keys = byKeyboard(page);
    const code = async () => {
      // a code works once
      stage.advance(minute);
      await page.locator('[aria-label="Digit 1 of 6"]:focus').waitFor();
      await page.keyboard.type(codeAt(stage, secret));
    };
    await page.goto(new URL("/desk/payments", stage.url).href);
    await keys.fill(page.getByLabel("Username"), name);
    await keys.fill(page.getByLabel("Password", { exact: true }), "a long enough phrase");
    await page.keyboard.press("Enter");
    await code();
    await page.getByRole("heading", { level: 1, name: "Enter the desk" }).waitFor();
    await code();
    await page.getByRole("row", { name: /somebody@example.com/ }).waitFor();
    await page.keyboard.press("ArrowDown");
    expect(await page.locator('[role="row"][data-row="0"]:focus').count()).toBe(1);
    await page.keyboard.press("Enter");
    await page.getByRole("region", { name: "Timeline" }).waitFor();
    await keys.walkThrough(page.locator("main"));
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").fill("ada@example.com");
    await page.getByRole("option", { name: /^ada/ }).first().waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "ada" }).waitFor();
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.keyboard.press("g");
    await page.keyboard.press("l");
    await page.getByRole("heading", { level: 1, name: "Licenses" }).waitFor();
    expect(keys.faults).toEqual([]);
    await close();
  });
}
