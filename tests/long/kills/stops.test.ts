import { expect, test } from "bun:test";
import { nothingLost, reportStops, stopAgainAndAgain } from "../../crash/stops";

test("a stop under load loses no accepted request and nothing that was answered", async () => {
  const figures = await stopAgainAndAgain({ seed: Number(process.env.STOPS_SEED ?? 8), stops: 6 });
  console.log(reportStops(figures));
  expect(nothingLost(figures)).toBe(true);
  expect(figures.underWay).toBeGreaterThan(0);
  // eleven seconds at most, plus what a busy machine adds
  expect(figures.stopping.slowest).toBeLessThan(40_000);
});
