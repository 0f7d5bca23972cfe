import { expect, test } from "bun:test";
import { minute } from "@/contract/time";
import { settleSubject } from "@/domain/payments/settle/settle";
import type { Stage } from "../../support/shop/stage";
import { atStripeNow, checkout, openSubscriptionShop, paymentsOf, settleAll, subscriber } from "./subscriber";

async function customer(stage: Stage) {
  const ada = stage.person();
  await ada.register(await stage.handOut(1), "ada", "a long enough phrase");
  return ada;
}

test("a double click on Buy, one after the other or at once, opens one checkout", async () => {
  await using stage = await openSubscriptionShop();
  const ada = await customer(stage);
  const both = await Promise.all([checkout(ada), checkout(ada)]);
  expect(new Set([...both, await checkout(ada)]).size).toBe(1);
});

test("Buy pressed again later, or after the checkout expired, opens another", async () => {
  await using stage = await openSubscriptionShop();
  const ada = await customer(stage);
  const first = await checkout(ada);
  await stage.atStripe("expire", { session: first });
  const second = await checkout(ada);
  expect(second).not.toBe(first);
  stage.advance(11 * minute);
  expect(await checkout(ada)).not.toBe(second);
});

test("of two subscriptions whose checkouts were both completed, the later one is cancelled at once and given back", async () => {
  await using stage = await openSubscriptionShop();
  const ada = await customer(stage);
  const first = await checkout(ada);
  stage.advance(11 * minute);
  const second = await checkout(ada);
  await stage.atStripe("pay", { session: first, email: "ada@example.com" });
  stage.advance(minute);
  await stage.atStripe("pay", { session: second, email: "ada@example.com" });
  for (let time = 0; time < 3; time += 1) await settleAll(stage);
  const held = (await atStripeNow(stage)).map(({ status, invoices }) => [status, invoices[0]?.refunded]);
  expect(held.toSorted(([one], [other]) => String(one).localeCompare(String(other)))).toEqual([
    ["active", 0],
    ["canceled", 300],
  ]);
  const states = (await paymentsOf(ada)).map(({ status }: { status: string }) => status);
  expect(states).toEqual(["refunded", "succeeded"]);
  const subscriptions = (await ada.get("/api/subscriptions")).body.data;
  expect(subscriptions.map(({ status }: { status: string }) => status)).toEqual(["ended", "active"]);
});

test("a subscription of the shop's other Stripe mode neither stops a purchase nor takes it back", async () => {
  await using stage = await openSubscriptionShop();
  const { ada } = await subscriber(stage);
  await stage.ctx.store.client.execute("UPDATE subscriptions SET livemode = 1 - livemode");
  const session = await checkout(ada);
  await stage.atStripe("pay", { session, email: "ada@example.com" });
  for (let time = 0; time < 3; time += 1) await settleAll(stage);
  const held = (await atStripeNow(stage)).map(({ status, invoices }) => [status, invoices[0]?.refunded]);
  expect(held).toEqual([
    ["active", 0],
    ["active", 0],
  ]);
  expect((await ada.get("/api/subscriptions")).body.data).toHaveLength(1);
});

test("a subscription that was bought without an account and is redeemed beside another is kept", async () => {
  await using stage = await openSubscriptionShop();
  const { ada } = await subscriber(stage);
  const guest = stage.person();
  const session = await checkout(guest);
  await stage.atStripe("pay", { session, email: "ada@example.com" });
  await settleAll(stage);
  const { body } = await guest.get(`/api/stripe/verify-payment?session_id=${session}`);
  const redeemed = await ada.post("/api/licenses/redeem", { key: body.data.license_key, timezone: "UTC" });
  expect(redeemed.status).toBe(200);
  for (const { subscription } of await atStripeNow(stage)) {
    await settleSubject(stage.ctx, stage.shop.checkout, { subscription });
  }
  await settleAll(stage);
  expect((await atStripeNow(stage)).map(({ status }) => status)).toEqual(["active", "active"]);
});
