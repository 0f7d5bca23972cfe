/** An owner's morning at the desk, with the shop's own answers. */
import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { atDesk } from "../../support/people/desk";
import { openShop } from "../../support/shop/shop-in-browser";
import { axeFindings, type sizes } from "../browser";
import { visit } from "../visit";
import { byKeyboard } from "../by-keyboard";

/** The desk of a shop with an owner, a supporter and a saved reply; it has to be closed. */
export async function openMorning() {
  const stage = await openShop({ env: { LIMITS: "register-success=1000/60" } });
  const olga = await atDesk(stage, "olga", "owner");
  const sam = await atDesk(stage, "sam", "support");
  const reply = "Copy the token anew.";
  await olga.post("replies", { name: "New token", text: reply, reason: "often asked" });

  async function spendMorning(viewport: (typeof sizes)[number]) {
    const name = `ada-${viewport.width}`;
    const { payment, question } = await troubled(name);
    await olga.confirm();
    const { page, close } = await visit(stage.url, { person: olga.person, viewport });
    const keys = byKeyboard(page);

    await open(page, "");
    await keys.choose(page.getByRole("button", { name: /^Approve the refund/ }));
    await reasoned(page, "Sam is right");
    await page.getByText(/is refunded$|refunded as soon as Stripe responds$/).waitFor();
    expect((await olga.get(`payments/${payment}`)).body.data.bill.refunded).toBe(100);

    await open(page, "tickets?waiting_for=staff");
    await page.getByRole("row").filter({ hasText: name }).click();
    const log = page.getByRole("log", { name: "Messages" });
    await log.getByText(question).first().waitFor();
    expect(await log.getByText(question).count()).toBe(1);
    expect(await axeFindings(page)).toEqual([]);
    await page.getByLabel("Insert a saved reply").selectOption({ label: "New token" });
    await keys.choose(page.getByRole("button", { name: "Answer", exact: true }));
    await log.getByText(reply).waitFor();
    await keys.choose(page.getByRole("button", { name: "Close ticket" }));
    await reasoned(page, "Solved");
    await page.getByRole("button", { name: "Reopen" }).waitFor();
    expect(await sideways(page)).toBe(0);

    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").fill(`${name}@exam`);
    await page
      .getByRole("option", { name: new RegExp(`^${name}`) })
      .first()
      .waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name }).waitFor();
    await page
      .getByRole("region", { name: /^Licenses/ })
      .getByRole("row")
      .nth(1)
      .click();
    await keys.choose(page.getByRole("button", { name: "Suspend", exact: true }));
    await reasoned(page, "Shared in a forum");
    await keys.choose(page.getByRole("button", { name: "Reinstate" }));
    await reasoned(page, "It was another");
    await page.getByRole("button", { name: "Suspend", exact: true }).waitFor();
    expect({ sideways: await sideways(page), faults: keys.faults }).toEqual({ sideways: 0, faults: [] });
    await close();
  }

  async function refundTwice() {
    const { payment } = await troubled("eve");
    await olga.confirm();
    const { page, close } = await visit(stage.url, { person: olga.person });
    await open(page, `payments/${payment}`);
    await page.getByRole("button", { name: "Refund" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel(/^Amount/).fill("2.50");
    await dialog.getByLabel("Reason").fill("Half of it");
    await page.context().setOffline(true);
    await dialog.getByRole("button", { name: "Refund" }).click();
    await dialog.getByRole("alert").waitFor();
    expect(await dialog.getByLabel("Reason").inputValue()).toBe("Half of it");
    await page.context().setOffline(false);
    await dialog.getByRole("button", { name: "Refund" }).dblclick();
    await dialog.waitFor({ state: "detached" });
    const timeline = page.getByRole("region", { name: "Timeline" });
    await timeline
      .getByText(/gave back USD 2\.50/)
      .first()
      .waitFor();
    expect((await olga.get(`payments/${payment}`)).body.data.bill.refunded).toBe(250);
    await close();
  }

  /** A customer who has asked something, with a payment of which sam proposes to refund a part. */
  async function troubled(name: string) {
    const person = stage.person();
    await person.register((await stage.buy(`${name}@example.com`)).key, name);
    const question = `It asks ${name} for a token`;
    expect((await person.post("/api/tickets", { topic: "device", question })).status).toBe(200);
    const found = await olga.post("search", { q: `${name}@example.com` });
    const payment: string = found.body.data.payments[0].id;
    if (name === "eve") return { payment, question };
    const proposed = await sam.post(`payments/${payment}/refund`, { amount: 100, reason: "They waited" });
    expect(proposed.body.data.state).toBe("proposed");
    return { payment, question };
  }

  /** Types the reason that a dialog asks for, and sends it. */
  async function reasoned(page: Page, reason: string): Promise<void> {
    await page.getByRole("dialog").getByLabel("Reason").fill(reason);
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  }

  const open = async (page: Page, path: string) => {
    await page.goto(new URL(`/desk/${path}`, stage.url).href);
    await page.locator("main h1:not(.sr-only)").first().waitFor();
  };

  const sideways = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  return { spendMorning, refundTwice, [Symbol.asyncDispose]: () => stage[Symbol.asyncDispose]() };
}
