import { expect, test } from "bun:test";
import { checkRandomHistories } from "../../stories/subscriptions/random-histories";
import { holds } from "../../stories/subscriptions/right";
import {
  atStripeNow,
  checkout,
  openSubscriptionShop,
  paymentsOf,
  settleAll,
} from "../../stories/subscriptions/subscriber";

const seed = Number(process.env["MODEL_SEED"] ?? 49);
const runs = Number(process.env["MODEL_RUNS"] ?? 4);

test("after any history, entitled means paid until now, and each invoice is one payment", async () => {
  await checkRandomHistories({ seed, runs }, holds);
});

test("a double click on Buy begins one subscription, with one key and one payment", async () => {
  await using stage = await openSubscriptionShop();
  const ada = stage.person();
  await ada.register(await stage.handOut(1), "ada");
  const [first, second] = await Promise.all([checkout(ada), checkout(ada)]);
  for (const session of [first, second])
    await stage.atStripe("pay", { session, email: "ada@example.com" }).catch(() => {});
  await settleAll(stage);
  expect(await atStripeNow(stage)).toMatchObject([{ status: "active" }]);
  expect(await paymentsOf(ada)).toMatchObject([{ status: "succeeded" }]);
  expect((await ada.get("/api/subscriptions")).body.data).toHaveLength(1);
});
