import { test } from "bun:test";
import { holdWorlds } from "../../stories/subscriptions/model/play";

test("10,000 steps of subscriptions' longer lives leave shop and Stripe as the contract asks", () =>
  holdWorlds({ seed: 2_000, steps: 10_000, length: 60 }));
