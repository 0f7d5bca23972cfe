import { expect, test } from "bun:test";
import { isKept, report } from "../fire/figures";
import { fire } from "../fire/fire";

test("three hundred orders through a shop that is killed all the time: none lost, none doubled, no receipt lost, every role right", async () => {
  const figures = await fire({ seed: Number(process.env.FIRE_SEED ?? 8), orders: 300, kills: 40 });
  console.log(report(figures));
  expect(isKept(figures)).toBe(true);
}, 300_000);
