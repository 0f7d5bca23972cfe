import { expect, test } from "bun:test";
import { hour } from "@/contract/time";
import { CheckoutRefused, CheckoutUnreachable } from "@/domain/payments/checkout/checkout";
import { loginPageReader } from "@/domain/payments/subscriptions/login-page";
import { openSubscriptionShop } from "./subscriber";

const failures: [how: string, fail: () => Promise<never>][] = [
  ["is refused", () => Promise.reject(new CheckoutRefused("You must set a business name"))],
  ["can't be asked for", () => Promise.reject(new CheckoutUnreachable("no connection"))],
  ["is never answered", () => new Promise<never>(() => {})],
];
test("mails wait two seconds at most for the page to manage subscriptions, and ask once an hour", async () => {
  await using stage = await openSubscriptionShop();
  for (const [how, fail] of failures) {
    let asked = 0;
    const page = { at: null as string | null };
    const read = loginPageReader(
      stage.ctx,
      {
        portalLoginPage: () => {
          asked += 1;
          return page.at === null ? fail() : Promise.resolve(page.at);
        },
      },
      stage.url,
    );
    const began = performance.now();
    // a dozen receipts at once, and one that comes later
    const pages = await Promise.all(Array.from({ length: 12 }, () => read()));
    expect([how, new Set([...pages, await read()]), asked]).toEqual([how, new Set([null]), 1]);
    // one after the other they would wait for 26 where it is silent
    expect(performance.now() - began).toBeLessThan(20_000);
    page.at = "https://billing.example/p/login";
    stage.advance(hour);
    expect([how, await read(), asked]).toEqual([how, page.at, 2]);
  }
});
