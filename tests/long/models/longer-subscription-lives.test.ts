import { test } from "bun:test";
import { holdWorlds } from "../../stories/subscriptions/model/play";

test("3,000 steps of subscriptions' longer lives leave shop and Stripe as the contract asks", () =>
  holdWorlds({ seed: 2_100, steps: 3_000, length: 60 }));
