import { test } from "bun:test";
import { holdWorlds } from "../../stories/subscriptions/model/play";

test("5,000 steps of subscriptions' lives, in any order, leave shop and Stripe as the contract asks", () =>
  holdWorlds({ seed: 1_000, steps: 5_000 }));
