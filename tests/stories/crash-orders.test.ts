import { expect, test } from "bun:test";
import { isKept, report } from "../crash/figures";
import { crashOrders } from "../crash/orders";

test("three hundred orders through a shop that is killed all the time: none lost, none doubled, no receipt lost, every role right", async () => {
  const figures = await crashOrders({ seed: Number(process.env.CRASH_SEED ?? 8), orders: 300, kills: 40 });
  console.log(report(figures));
  expect(isKept(figures)).toBe(true);
}, 600_000);
