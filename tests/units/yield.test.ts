import { expect, spyOn, test } from "bun:test";
import { atBackgroundPace } from "@/core/base/yield";

test("background work rests nine times as long as it took", async () => {
  let clock = 0;
  using _ = spyOn(performance, "now").mockImplementation(() => clock);
  using sleep = spyOn(Bun, "sleep").mockImplementation(() => Promise.resolve());
  const work = () => {
    clock += 4;
    return Promise.resolve("done");
  };
  expect(await atBackgroundPace(work)).toBe("done");
  expect(sleep.mock.calls).toEqual([[36]]);
});
