import { test } from "bun:test";
import { holdWorlds } from "../../stories/subscriptions/model/play";

test("20,000 steps of subscriptions' lives, in any order, leave shop and Stripe as the contract asks", async () => {
  await holdWorlds({ seed: 1_000, steps: 10_000 });
  await holdWorlds({ seed: 2_000, steps: 10_000, length: 60 });
});
