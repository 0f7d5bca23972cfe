import { expect, test } from "bun:test";
import {
  atStripeNow,
  openSubscriptionShop,
  pass,
  renewalsHeld,
  seenBy,
  settleAll,
  subscriber,
} from "./subscriber";

test("a dispute of one invoice of many holds the licence until it is won", async () => {
  await using stage = await openSubscriptionShop();
  const { ada, session } = await subscriber(stage);
  await pass(stage, 32);
  await stage.atStripe("dispute", { session });
  await settleAll(stage);
  expect(await seenBy(ada)).toMatchObject({
    status: "active",
    licence: { active: false, status: "disputed" },
  });
  await stage.atStripe("dispute", { session, status: "won" });
  await settleAll(stage);
  expect(await seenBy(ada)).toMatchObject({ status: "active", licence: { active: true, status: "active" } });
  expect(await atStripeNow(stage)).toMatchObject([{ status: "active" }]);
});

test("a dispute that is lost revokes the licence and cancels the subscription at once", async () => {
  await using stage = await openSubscriptionShop();
  const { ada, session } = await subscriber(stage);
  await pass(stage, 32);
  await stage.atStripe("dispute", { session });
  await settleAll(stage);
  await stage.atStripe("dispute", { session, status: "lost" });
  await settleAll(stage);
  expect(await seenBy(ada)).toMatchObject({ status: "ended", licence: { active: false, status: "revoked" } });
  expect(await atStripeNow(stage)).toMatchObject([{ status: "canceled" }]);
  await pass(stage, 70);
  expect(await renewalsHeld(stage)).toHaveLength(1);
});

test("a part of the current invoice refunded changes nothing", async () => {
  await using stage = await openSubscriptionShop();
  const { ada, session } = await subscriber(stage);
  const before = await seenBy(ada);
  await stage.atStripe("refund", { session, amount: 100 });
  await settleAll(stage);
  expect(await seenBy(ada)).toEqual(before);
});

test("a refund of the current invoice in full cancels the subscription at Stripe, once", async () => {
  await using stage = await openSubscriptionShop();
  const { ada, session } = await subscriber(stage);
  await stage.atStripe("refund", { session });
  await settleAll(stage);
  expect(await seenBy(ada)).toMatchObject({
    status: "ended",
    licence: { active: false, status: "refunded" },
  });
  expect(await atStripeNow(stage)).toMatchObject([{ status: "canceled" }]);
});
