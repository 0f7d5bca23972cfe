import { expect, test } from "bun:test";
import { release } from "../support/shop/publish-release";
import { openShop } from "../support/shop/shop-in-browser";
import { findingsAtBothWidths, sizes, untilWhole } from "./browser";
import { visit } from "./visit";

test("what a license that ends needs leads from Home to the card that sells it, without a detour", async () => {
  await using stage = await openShop();
  const person = stage.person();
  await person.register(await stage.handOut(5), "enid");
  const { page, close } = await visit(stage.url, { person, viewport: sizes[0] });
  await page.goto(new URL("/dashboard", stage.url).href);
  await page.getByRole("link", { name: "Upgrade to lifetime · $5" }).click();
  await page.waitForFunction(() => document.activeElement?.id === "buy");
  expect(await page.locator("#buy [data-slot=button].bg-primary").count()).toBe(1);
  expect(await page.locator("main [data-slot=button].bg-primary").count()).toBe(1);
  await close();
});

test("the first steps tick themselves and can be closed for good", async () => {
  await using stage = await openShop();
  await release(stage, "1.0.0", { content: "One thing." });
  const person = stage.person();
  await person.register(await stage.handOut(30), "tim");
  const { page, to, judge, close } = await visit(stage.url, { person, viewport: sizes[0] });
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await to("/dashboard");
  const steps = page.getByRole("region", { name: "First steps" });
  const fetched = page.waitForEvent("download");
  await steps.getByRole("link", { name: /^Download for Linux/ }).click();
  await fetched;
  await steps.getByText("Download Wisp (done)").waitFor();
  await steps.getByRole("button", { name: "Copy token" }).click();
  await steps.getByText("Paste your token into Wisp (done)").waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toHaveLength(43);
  await judge("Home with steps");
  await page.reload();
  await steps.getByText("Paste your token into Wisp (done)").waitFor();
  await page.getByRole("button", { name: "Close first steps" }).click();
  await page.reload();
  await untilWhole(page);
  expect(await steps.count()).toBe(0);
  await close();
});

test("a bought key that isn't in use is added from the home page with one press", async () => {
  await using stage = await openShop();
  const person = stage.person();
  expect((await person.register(await stage.handOut(1), "eve")).status).toBe(200);
  const opened = await person.post("/api/stripe/create-checkout-session", { currency: "usd", quantity: 2 });
  await stage.atStripe("pay", { session: opened.body.data.id, email: "eve@example.com" });
  await stage.stripe.flush();
  const { page, close } = await visit(stage.url, { person });
  await page.goto(new URL("/dashboard", stage.url).href);
  await page.getByText("Add your key to keep Wisp Premium.").waitFor();
  expect(await findingsAtBothWidths(page)).toEqual([]);
  await page.getByRole("button", { name: "Add to my account" }).click();
  await page.getByText("Successfully redeemed key, expires never").waitFor();
  // to a lifetime the second would add nothing
  await page.getByRole("region", { name: "Unused key" }).waitFor({ state: "detached" });
  await close();
});
