import { expect, test } from "bun:test";
import { webhookBody } from "@/contract/wire/webhooks";
import { deliverAll, startEndpoint } from "../../support/network/hooked";
import { openSubscriptionShop, pass, renewalsHeld, settleAll, stripeOf, subscriber } from "./subscriber";

test("receivers hear when a subscription starts, renews, fails, is cancelled and ends, and of each payment", async () => {
  await using stage = await openSubscriptionShop(null, { WEBHOOKS_ALLOW_PRIVATE: "true" });
  await using shop = await startEndpoint(stage);
  const heard = async () => {
    await deliverAll(stage);
    const types = shop.types().filter((type) => /^(order|subscription)\./.test(type));
    return types.slice(told.splice(0, 1, types.length)[0] ?? 0);
  };
  const told = [0];
  const { subscription } = await subscriber(stage);
  expect((await heard()).toSorted()).toEqual(["order.paid", "subscription.started"]);
  await pass(stage, 32);
  expect((await heard()).toSorted()).toEqual(["order.paid", "subscription.renewed"]);
  await stage.atStripe("card/mood", { subscription, mood: "declines" });
  await pass(stage, 31);
  expect(await heard()).toEqual(["subscription.past_due"]);
  await stage.atStripe("card/mood", { subscription, mood: "works" });
  await pass(stage, 8);
  expect((await heard()).toSorted()).toEqual(["order.paid", "subscription.renewed"]);
  await stage.stripeTells("subscription/cancel", { subscription, at: "period_end" });
  expect(await heard()).toEqual(["subscription.ending"]);
  await stripeOf(stage).subscriptions.update(subscription, { cancel_at_period_end: false });
  await stage.stripe.flush();
  expect(await heard()).toEqual(["subscription.changed"]);
  await stage.stripeTells("subscription/cancel", { subscription, at: "period_end" });
  expect(await heard()).toEqual(["subscription.ending"]);
  await pass(stage, 32);
  expect(await heard()).toEqual(["subscription.ended"]);
  for (const { body, type } of shop.arrived) webhookBody(type).strict().parse(JSON.parse(body));
  expect(shop.arrived.findLast(({ type }) => type === "subscription.ended")?.data).toMatchObject({
    state: "ended",
    email: "ada@example.com",
    renews_at: null,
  });
});

test("receivers hear that a license ended when the current renewal is refunded, and not when an older one is", async () => {
  await using stage = await openSubscriptionShop(null, { WEBHOOKS_ALLOW_PRIVATE: "true" });
  await using shop = await startEndpoint(stage);
  const ofLicences = async () => {
    await settleAll(stage);
    await deliverAll(stage);
    const told = shop.arrived.filter(({ type }) => type === "license.ended");
    return told.map(({ data }) => data["cause"]);
  };
  const { session } = await subscriber(stage);
  await pass(stage, 32);
  await stage.atStripe("refund", { session });
  expect(await ofLicences()).toEqual([]);
  const [renewal = ""] = await renewalsHeld(stage);
  await stage.atStripe("refund", { session: renewal });
  expect(await ofLicences()).toEqual(["refunded"]);
});
