/** The desk in a browser, on the shop's own answers. */
import { afterAll, expect, test } from "bun:test";
import { minute } from "@/contract/vocabulary/time";
import { codeAt } from "../stories/accounts/people";
import { atDesk } from "../support/people/desk";
import { openShop } from "../support/shop/shop-in-browser";
import { byKeyboard } from "./by-keyboard";
import { visit } from "./visit";

const stage = await openShop({ env: { LIMITS: "register-success=1000/60" } });
afterAll(() => stage[Symbol.asyncDispose]());

test("an owner approves a proposed refund without a mouse, with a fresh code", async () => {
  const olga = await atDesk(stage, "olga", "owner");
  await stage.buy("somebody@example.com");
  const payment: string = (await olga.get("payments")).body.data.rows[0].id;
  const sam = await atDesk(stage, "sam", "support");
  const { body } = await sam.post(`payments/${payment}/refund`, { reason: "Bought twice" });
  expect(body.data.state).toBe("proposed");
  // so that neither the desk nor the shop still trusts an earlier code
  stage.advance(11 * minute);
  const { page, close } = await visit(stage.url, { person: olga.person });
  const keys = byKeyboard(page);
  await page.goto(new URL("/desk", stage.url).href);
  await keys.choose(page.getByRole("button", { name: /^Approve the refund/ }));
  await keys.fill(page.getByLabel("Reason"), "Sam is right");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "Confirm it's you" }).waitFor();
  await page.keyboard.type(codeAt(stage, olga.secret));
  await page.getByText(/is refunded$|refunded as soon as Stripe responds$/).waitFor();
  await page.getByRole("button", { name: /^Approve/ }).waitFor({ state: "detached" });
  const refunds = (await olga.get("refunds?state=proposed")).body.data.rows;
  expect({ refunds, faults: keys.faults }).toEqual({ refunds: [], faults: [] });
  await close();
});

test("the desk's pages are for nobody's index, and nothing public leads there", async () => {
  const answer = await fetch(new URL("/desk/customers/anything", stage.url));
  expect(answer.status).toBe(200);
  expect(await answer.text()).toContain('<meta name="robots" content="noindex">');
  for (const path of ["/", "/login", "/sitemap.xml", "/robots.txt"]) {
    const page = await fetch(new URL(path, stage.url));
    expect([path, (await page.text()).includes('"/desk')]).toEqual([path, false]);
  }
});
