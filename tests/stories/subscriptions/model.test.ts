import { test } from "bun:test";
import { holdWorlds } from "./model/play";

test("whatever happens to subscriptions, in any order, shop and Stripe hold what the contract asks", async () => {
  await holdWorlds({ seed: 1, steps: 240 });
});
