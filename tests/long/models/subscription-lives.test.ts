import { test } from "bun:test";
import { holdWorlds } from "../../stories/subscriptions/model/play";

test("10,000 steps of subscriptions' lives, in any order, leave shop and Stripe as the contract asks", () =>
  holdWorlds({ seed: 1_000, steps: 10_000 }));
