import { expect, test } from "bun:test";
import { isKept, report } from "../../crash/figures";
import { crashOrders } from "../../crash/orders";

test("three hundred orders in a shop that keeps being killed: none lost, none duplicated, no receipt lost, every role right", async () => {
  const figures = await crashOrders({ seed: Number(process.env.CRASH_SEED ?? 8), orders: 300, kills: 40 });
  console.log(report(figures));
  expect(isKept(figures)).toBe(true);
});
