import { expect, test } from "bun:test";
import { addOffer } from "@/domain/offers/change";
import { checkout, by, pass, password } from "../../stories/subscriptions/subscriber";
import { openShop } from "../../support/shop/shop-in-browser";
import {
  axeFindings,
  goTo,
  openBrowser,
  shiftOf,
  signIn,
  sizes,
  still,
  watchShifts,
} from "../../browser/browser";
import { subscribe } from "../../browser/journeys/subscription";

const browser = await openBrowser();

test("from a trial over a year, a failed payment, another card and a cancellation to a lifetime, on a phone", () =>
  subscribe(sizes[0]));

test("a failed renewal is announced once above every page, without moving it, and another card is given at Stripe", async () => {
  await using stage = await openShop({ env: { LIMITS: "own=1000/60" } });
  await addOffer(
    stage.ctx,
    { id: "month", name: "A month", amount: 300, days: null, every: "month", trialDays: null },
    by,
  );
  const ada = stage.person();
  await ada.register(await stage.handOut(1), "ada", password);
  const session = await checkout(ada);
  await stage.atStripe("pay", { session, email: "ada@example.com" });
  await stage.stripe.flush();
  const { rows } = await stage.ctx.store.client.execute("SELECT stripe_id FROM subscriptions");
  await stage.atStripe("card/mood", { subscription: rows[0]?.["stripe_id"] as string, mood: "declines" });
  await pass(stage, 32);
  await ada.post("/api/auth/login", { username: "ada", password });
  const [newest] = (await ada.get("/api/payments")).body.data;
  const transaction = `/dashboard/transaction?payment_intent=${newest.payment_id}`;
  for (const viewport of sizes) {
    const context = await browser.newContext({ ...still, viewport });
    await signIn(context, ada, stage.url);
    const page = await context.newPage();
    await watchShifts(page);
    for (const path of ["/dashboard", "/dashboard/license", "/dashboard/payments", transaction]) {
      await goTo(page, new URL(path, stage.url).href);
      // in the account's own card, or above the page
      const told = page.getByRole("region", { name: /^(Payment failed|License status)$/ });
      await told
        .getByText(/^Your last payment failed. Update your card by \w{3} \d+, \d{4} to keep your license.$/)
        .waitFor();
      const shift = await shiftOf(page);
      const found = viewport === sizes[2] ? await axeFindings(page) : [];
      const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect([path, viewport.width, found, shift <= 0.02 || shift, sideways]).toEqual([
        path,
        viewport.width,
        [],
        true,
        0,
      ]);
    }
    await page
      .getByRole("region", { name: "Payment failed" })
      .getByRole("button", { name: "Update card" })
      .click();
    await page.waitForURL(/\/p\/session\/.*\/card/);
    await context.close();
  }
});
